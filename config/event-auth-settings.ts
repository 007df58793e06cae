// How a system proves that a delivery to /events/<source> comes from it.

import { z } from 'zod'
import { addressRange } from './address-range.ts'
import { jsonPointer } from './json-pointer-text.ts'

const secret = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(5)], {
  error: 'is not a text, nor a list of one to five texts',
})

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not the name of a header, such as X-Signature')

/** 16 bytes are what an honest key has at least; the standard itself asks for 24 to 64 of those who make keys. */
export function isStandardSecret(text: string): boolean {
  const coded = text.replace(/^whsec_/, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(coded) && Buffer.from(coded, 'base64').length >= 16
}

function isFetchable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}

const rotation = 'A list of two while it is being changed: either is accepted.'

const standardWebhooks = z
  .strictObject({
    type: z.literal('standard-webhooks'),
    secret: secret
      .refine(
        (value) => [value].flat().every(isStandardSecret),
        'is not a secret of Standard Webhooks: whsec_ and then at least 16 bytes in base64',
      )
      .describe(`The secret that both sides know, such as \`\${HOOK_SECRET}\` with whsec_ in front. ${rotation}`),
  })
  .describe('The headers webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks.')

const hmac = z
  .strictObject({
    type: z.literal('hmac'),
    header: headerName.describe('The header that carries the signature, such as X-Signature.'),
    algorithm: z.enum(['sha256', 'sha512', 'sha1']).default('sha256').describe('The hash inside of the HMAC.'),
    encoding: z.enum(['hex', 'base64']).default('hex').describe('How the signature is written.'),
    prefix: z.string().max(50).default('').describe('What stands in front of the signature, such as sha256=.'),
    secret: secret.describe(`The key, as text. ${rotation}`),
    timestamp: z
      .strictObject({
        header: headerName.describe('The header that says when the delivery was signed.'),
        format: z
          .enum(['epoch-seconds', 'epoch-ms', 'iso'])
          .default('epoch-seconds')
          .describe('How that time is written.'),
        signed: z
          .string()
          .refine(
            (text) => text.split('{body}').length === 2,
            'does not say where the body stands; write {body} there, once',
          )
          .default('{timestamp}.{body}')
          .describe('The text that is signed. Without {timestamp} in it, the time can be changed by whoever replays.'),
      })
      .optional()
      .describe('Refuse deliveries that were signed more than 5 minutes ago, or are dated that far ahead.'),
  })
  .describe('A keyed hash of the body in a header.')

const bearer = z
  .strictObject({
    type: z.literal('bearer'),
    secret: secret.describe(`The token after \`Authorization: Bearer\`. ${rotation}`),
  })
  .describe('A token in the Authorization header.')

const basic = z
  .strictObject({
    type: z.literal('basic'),
    user: z
      .string()
      .min(1)
      .refine((text) => !text.includes(':'), 'must not contain a colon: that is where the password begins')
      .describe('The user name.'),
    password: secret.describe(`The password. ${rotation}`),
  })
  .describe('HTTP Basic authentication.')

const bodySecret = z
  .strictObject({
    type: z.literal('body'),
    pointer: jsonPointer
      .regex(/\/[^/]*[^\d/][^/]*$/, 'does not point at a member by its name, such as /token')
      .describe('Where the secret stands in the JSON body, such as /token. It is taken out before the body is stored.'),
    secret: secret.describe(`The secret itself. ${rotation}`),
  })
  .describe('A secret inside of the body, as Moodle webhooks have it. It stops nobody who has seen one delivery.')

const jwt = z
  .strictObject({
    type: z.literal('jwt'),
    jwks: z
      .string()
      .refine(isFetchable, 'is not an https address')
      .describe("Where the sender's public keys are. https, or http on this machine."),
    algorithms: z
      .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']))
      .min(1)
      .default(['RS256'])
      .describe('The signatures that are accepted.'),
    claims: z
      .record(jsonPointer, z.string().min(1))
      .default({})
      .describe(
        "Values that must stand in the signed content, such as `/metadata/root_account_uuid: VicY…`. Needed where one key signs for all of a vendor's customers, as that of Canvas does.",
      ),
    issuer: z.string().min(1).optional().describe('What the claim iss must say.'),
    audience: z.string().min(1).optional().describe('What the claim aud must contain.'),
  })
  .describe('The whole body is a signed JWT, as with signed Canvas Live Events.')

const none = z
  .strictObject({
    type: z.literal('none'),
    allow: z.array(addressRange).min(1).describe('Addresses and networks that may deliver. Nobody else may.'),
  })
  .describe('The sender proves nothing. Only for systems that can do no better, and with events that are confirmed.')

export const eventAuthSchema = z
  .discriminatedUnion('type', [standardWebhooks, hmac, bearer, basic, bodySecret, jwt, none], {
    error: 'has no type that is known; write standard-webhooks, hmac, bearer, basic, body, jwt or none',
  })
  .describe('How a delivery proves where it comes from.')

export type EventAuth = z.output<typeof eventAuthSchema>
/** The settings of one scheme: EventAuthOf<'hmac'>. */
export type EventAuthOf<Type extends EventAuth['type']> = Extract<EventAuth, { type: Type }>
