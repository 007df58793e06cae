// The options for a campus with a registered LTI tool and a gradebook column that the tool writes to.

import { generateKeyPairSync } from 'node:crypto'
import type { MoodleSandbox } from '#sandboxes/moodle/open-moodle-sandbox.ts'
import type { CampusOptions } from './campus.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const clientId = 'aKOUN1Xw1tjOtYl'

/** Options for `openCampus`; `writeBack` is for tests that write back to this tool only. */
export const ltiTool = {
  site: { tool: { clientId, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() } },
  courseFields: { lineItem: { label: 'Credential' } },
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
