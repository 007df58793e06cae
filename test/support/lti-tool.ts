// A tool that is registered at the campus, with a column of the course's gradebook to write into.

import { generateKeyPairSync } from 'node:crypto'
import type { MoodleSandbox } from '#src/moodle-sandbox/open-moodle-sandbox.ts'
import type { CampusOptions } from './campus.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const clientId = 'aKOUN1Xw1tjOtYl'

/** What `openCampus` is told of it; `writeBack` is for whoever tells nothing else. */
export const ltiTool = {
  site: { tool: { clientId, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() } },
  courseOf: { lineItem: { label: 'Credential' } },
  systems: ({ url }: MoodleSandbox) => ({
    gradebook: {
      type: 'lti',
      clientId,
      tokenUrl: `${url}/mod/lti/token.php`,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  }),
  writeBack: (_lms, { lineItem }) => [{ to: 'lti', system: 'gradebook', lineItem }],
} satisfies CampusOptions
