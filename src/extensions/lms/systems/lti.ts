// The system kind for an LTI 1.3 platform: outcomes are written to it as scores, and it sends no completions.

import { z } from 'zod'
import { type Ags, openAgs } from '#src/extensions/lms/lti/ags.ts'
import { safeAddress } from '#src/extensions/lms/lti/line-item.ts'
import { isSigningKey, notSigningKey } from '#src/extensions/lms/lti/signing-key.ts'
import { Secret } from '#src/platform/secret.ts'
import { defineSystem } from './system-kind.ts'

const settings = z
  .strictObject({
    type: z.literal('lti').describe('A platform that accepts scores (LTI 1.3 Assignment and Grade Services).'),
    clientId: z.string().min(1).describe('The client id that the platform assigned to the tool.'),
    tokenUrl: z
      .url({ protocol: /^https?$/ })
      .refine((url) => safeAddress(url) !== null, 'must begin with https:// and must not contain a password')
      .describe('The URL where the platform issues access tokens.'),
    privateKey: z
      .string()
      .min(1)
      .refine(isSigningKey, notSigningKey)
      .describe('The private key of the tool (PEM), preferably from the environment.'),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe('The audience of the signed assertion, if it is not the token URL, as with Brightspace.'),
  })
  .describe('A platform that receives outcomes as scores.')

export const ltiSystem = defineSystem<typeof settings, Ags>({
  type: 'lti',
  settings,
  columns: () => [],
  open: ({ send, clock }, { clientId, tokenUrl, privateKey, audience }) =>
    openAgs({ clientId, tokenUrl, privateKeyPem: new Secret(privateKey), audience, send, clock }),
  async check({ client }, { tokenUrl }) {
    await client.signIn()
    const { host } = new URL(tokenUrl)
    return [{ name: 'system', what: `${host} issues this tool a token to write scores and to read results` }]
  },
})
