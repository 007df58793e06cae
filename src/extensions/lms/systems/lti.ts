// The system kind for an LTI 1.3 platform: outcomes are written to it as scores, and it sends no completions.

import { z } from 'zod'
import { type Ags, openAgs } from '#src/extensions/lms/lti/ags.ts'
import { LtiKeyError } from '#src/extensions/lms/lti/signing-key.ts'
import { isOwnMachine } from '#src/platform/own-machine.ts'
import { Secret } from '#src/platform/secret.ts'
import {
  defineSystem,
  type OpenedClient,
  type SystemCheckContext,
  type SystemFinding,
  type SystemTools,
} from './system-kind.ts'

const settings = z
  .strictObject({
    type: z.literal('lti').describe('A platform that accepts scores (LTI 1.3 Assignment and Grade Services).'),
    clientId: z.string().min(1).describe('The client id that the platform assigned to the tool.'),
    tokenUrl: z.url({ protocol: /^https?$/ }).describe('The URL where the platform issues access tokens.'),
    privateKey: z.string().min(1).describe('The private key of the tool (PEM), preferably from the environment.'),
    keyId: z.string().min(1).optional().describe('The id of the key, if the platform fetches keys from a URL.'),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe('The audience of the signed assertion, if it is not the token URL, as with Brightspace.'),
    issuer: z.string().min(1).optional().describe('The issuer of the signed assertion, if it is not the client id.'),
  })
  .describe('A platform that receives outcomes as scores.')

type LtiSettings = z.infer<typeof settings>

export const ltiSystem = defineSystem<typeof settings, Ags>({
  type: 'lti',
  settings,
  columns: () => [],
  open,
  check,
})

/** An invalid key must not prevent credsync from starting: only the scores for this platform wait. */
function open(tools: SystemTools, { privateKey, ...settings }: LtiSettings): OpenedClient<Ags> {
  try {
    return { client: openAgs({ ...settings, privateKeyPem: new Secret(privateKey), ...tools }), fault: null }
  } catch (error) {
    if (!(error instanceof LtiKeyError || error instanceof RangeError)) throw error
    const { message: why } = error
    const refuse = async () => ({ kind: 'refused' as const, why })
    return { client: { lineItems: refuse, score: refuse, signIn: refuse, results: refuse }, fault: error }
  }
}

async function check(context: SystemCheckContext<Ags>, { tokenUrl }: LtiSettings): Promise<SystemFinding[]> {
  const name = 'system'
  const { protocol, hostname, host } = new URL(tokenUrl)
  if (protocol !== 'https:' && !isOwnMachine(hostname)) {
    const what = `the token URL begins with http://, so the signed assertion could be intercepted`
    return [{ name, what, remedy: 'Set a token URL that begins with https://' }]
  }
  if (context.fault) throw context.fault
  const signInResult = await context.client.signIn()
  if (signInResult.kind !== 'signed in') {
    const remedy =
      'Check that the platform is running and can be reached from this machine, then run `credsync check` again'
    return [{ name, sentence: signInResult.why, remedy }]
  }
  return [{ name, what: `${host} issues this tool a token to write scores and to read results` }]
}
