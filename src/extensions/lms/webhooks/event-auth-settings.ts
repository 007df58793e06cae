// The settings schemas for authenticating events to /events/NAME, one for each scheme. Pure.

import { z } from 'zod'
import { addressRange } from '#src/platform/http/address-range.ts'
import { isOwnMachine } from '#src/platform/own-machine.ts'
import { isStandardSecret, notStandardSecret } from '#src/platform/sign-standard-webhook.ts'
import { jsonPointer } from './json-pointer-schema.ts'

/**
 * The minimum length of a secret, so that it cannot be guessed. The schema does not use `min`, since the settings file
 * often contains a shorter ${NAME} instead, and editors validate that text.
 */
const minSecretLength = 24
export const isLongSecret = (text: string) => text.length >= minSecretLength
export const secretTooShort = `has fewer than ${minSecretLength} characters; create one with: openssl rand -base64 32`

const secretOrList = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(5)], {
  error: 'is neither a string nor a list of one to five strings',
})
const secret = secretOrList.refine((value) => [value].flat().every(isLongSecret), secretTooShort)

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not the name of a header, such as X-Signature')

function isFetchable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isOwnMachine(hostname))
}

const rotationHint = 'Use a list of two during a rotation: either is accepted.'

const standardWebhooks = z
  .strictObject({
    type: z.literal('standard-webhooks'),
    secret: secretOrList
      .refine((value) => [value].flat().every(isStandardSecret), notStandardSecret)
      .describe(`The shared secret, such as \`\${HOOK_SECRET}\`, which begins with whsec_. ${rotationHint}`),
  })
  .describe('The headers webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks.')

const hmac = z
  .strictObject({
    type: z.literal('hmac'),
    header: headerName.describe('The header that contains the signature, such as X-Signature.'),
    algorithm: z.enum(['sha256', 'sha512', 'sha1']).default('sha256').describe('The hash function of the HMAC.'),
    encoding: z.enum(['hex', 'base64']).default('hex').describe('The encoding of the signature.'),
    prefix: z.string().max(50).default('').describe('The text before the signature, such as sha256=.'),
    secret: secret.describe(`The key, as text, at least 24 characters. ${rotationHint}`),
    timestamp: z
      .strictObject({
        header: headerName.describe('The header that contains the time of the signature.'),
        format: z
          .enum(['epoch-seconds', 'epoch-ms', 'iso'])
          .default('epoch-seconds')
          .describe('The format of that time.'),
        signed: z
          .string()
          .refine(
            (text) => text.split('{body}').length === 2,
            'does not say where the body is; write {body} exactly once',
          )
          .default('{timestamp}.{body}')
          .describe(
            'The text that is signed. Without {timestamp} in it, an attacker who replays an event can change the time.',
          ),
      })
      .optional()
      .describe('Refuse events that were signed more than 5 minutes ago, or are dated more than 5 minutes ahead.'),
  })
  .describe('An HMAC of the body in a header.')

const bearer = z
  .strictObject({
    type: z.literal('bearer'),
    secret: secret.describe(`The token after \`Authorization: Bearer\`, at least 24 characters. ${rotationHint}`),
  })
  .describe('A token in the Authorization header.')

const basic = z
  .strictObject({
    type: z.literal('basic'),
    user: z
      .string()
      .min(1)
      .refine(
        (text) => !text.includes(':'),
        'must not contain a colon, which separates the user name from the password',
      )
      .describe('The user name.'),
    password: secret.describe(`The password, at least 24 characters. ${rotationHint}`),
  })
  .describe('HTTP Basic authentication.')

const bodySecret = z
  .strictObject({
    type: z.literal('body'),
    pointer: jsonPointer
      .regex(/\/\d*[^\d/][^/]*$/, 'does not point to a named member, such as /token')
      .describe(
        'The location of the secret in the JSON body, such as /token. The secret is removed before the body is stored.',
      ),
    secret: secret.describe(`The secret itself, at least 24 characters. ${rotationHint}`),
  })
  .describe(
    'A secret in the body, as Moodle webhooks send it. It does not protect against anyone who has seen one event.',
  )

const jwt = z
  .strictObject({
    type: z.literal('jwt'),
    jwks: z
      .string()
      .refine(isFetchable, 'is not an https address')
      .describe("The URL of the sender's public keys. https, or http on this machine."),
    algorithms: z
      .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']))
      .min(1)
      .default(['RS256'])
      .describe('The signature algorithms that are accepted.'),
    claims: z
      .record(jsonPointer, z.string().min(1))
      .default({})
      .describe(
        'Values that the signed content must contain, such as `/metadata/root_account_uuid: VicY…`. Needed when a vendor uses one key for all its customers, as Canvas does.',
      ),
    issuer: z.string().min(1).optional().describe('The required value of the claim iss.'),
    audience: z.string().min(1).optional().describe('A value that the claim aud must contain.'),
  })
  .describe('The body is a signed JWT, as with signed Canvas Live Events.')

const addressOnly = z
  .strictObject({
    type: z.literal('none'),
    allow: z.array(addressRange).min(1).describe('The only addresses and networks that may send events.'),
  })
  .describe('No authentication. Only for systems that support nothing better, and with events that are confirmed.')

export const eventAuthSchema = z
  .discriminatedUnion('type', [standardWebhooks, hmac, bearer, basic, bodySecret, jwt, addressOnly], {
    error: 'has no known type; write standard-webhooks, hmac, bearer, basic, body, jwt or none',
  })
  .describe('How events are authenticated.')

export type EventAuth = z.output<typeof eventAuthSchema>
/** The settings of one scheme: EventAuthOf<'hmac'>. */
export type EventAuthOf<Type extends EventAuth['type']> = Extract<EventAuth, { type: Type }>
