// Verifies events that are signed with a shared key: Standard Webhooks, and any other HMAC header. Checks their signed
// timestamps as well. Pure.

import { createHmac } from 'node:crypto'
import { isKnownSecret } from '#src/platform/same-secret.ts'
import type { EventAuthOf } from './event-auth-settings.ts'
import { type EventTimeFormat, instantMs } from './event-time.ts'
import { type AuthVerdict, headerOf, type InboundRequest, refuse } from './inbound-request.ts'

/**
 * Standard Webhooks, symmetric: HMAC-SHA256 over id, timestamp and the bytes of the body. The signature is computed
 * here because the library reads the system clock, and signs the body as text, which alters invalid UTF-8.
 */
export function checkStandardWebhook(
  settings: EventAuthOf<'standard-webhooks'>,
  delivery: InboundRequest,
  now: Date,
): AuthVerdict {
  const id = headerOf(delivery.headers, 'webhook-id')
  const signatures = headerOf(delivery.headers, 'webhook-signature')
  const timestamp = headerOf(delivery.headers, 'webhook-timestamp')
  if (id === undefined || signatures === undefined) return refuse('signature-missing')
  const timestampRefusal = refuseInstant(timestamp, 'epoch-seconds', now)
  if (timestampRefusal) return timestampRefusal
  if (isAmbiguous(id, delivery.body)) return refuse('id-ambiguous')
  const keys = [settings.secret].flat().map((each) => Buffer.from(each.replace(/^whsec_/, ''), 'base64'))
  const expected = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(delivery.body).digest('base64'),
  )
  const candidates = signatures.split(' ').filter((each) => each.startsWith('v1,'))
  if (candidates.length === 0) return refuse('signature-missing')
  // During a key rotation there are two signatures. More than a handful would be an attack, so only ten are checked.
  const matches = candidates.slice(0, 10).map((candidate) => isKnownSecret(candidate.slice(3), expected))
  return matches.includes(true) ? { ok: true, body: delivery.body } : refuse('signature-wrong')
}

/**
 * Detects ambiguous events. Full stops separate the signed parts, so a signature is also valid if the boundary moves:
 * for an id that ends with a timestamp, or for a body that begins with one. The standard leaves it to senders to forbid
 * full stops in ids that others choose; ids such as `evt.4f` are harmless.
 */
function isAmbiguous(id: string, body: Buffer): boolean {
  return /\.\d+(\.|$)/.test(id) || /^([\w.:~-]{0,255}\.)?\d{1,15}\./.test(body.subarray(0, 300).toString('latin1'))
}

/** Verifies an HMAC of the body, or of a string that contains the body, in a header that the settings name. */
export function checkHmac(settings: EventAuthOf<'hmac'>, delivery: InboundRequest, now: Date): AuthVerdict {
  const header = headerOf(delivery.headers, settings.header)
  if (header === undefined) return refuse('signature-missing')
  const { timestamp: timestampSettings } = settings
  const timestamp = timestampSettings && headerOf(delivery.headers, timestampSettings.header)
  const timestampRefusal = timestampSettings ? refuseInstant(timestamp, timestampSettings.format, now) : null
  if (timestampRefusal) return timestampRefusal
  const given = signatureBytes(header, settings)
  if (given === null) return refuse('signature-wrong')
  const [textBefore = '', textAfter = ''] = (timestampSettings?.signed ?? '{body}')
    .split('{body}')
    .map((part) => part.replaceAll('{timestamp}', () => timestamp ?? ''))
  const expected = [settings.secret]
    .flat()
    .map((key) =>
      createHmac(settings.algorithm, key).update(textBefore).update(delivery.body).update(textAfter).digest(),
    )
  return isKnownSecret(given, expected) ? { ok: true, body: delivery.body } : refuse('signature-wrong')
}

function signatureBytes(header: string, { prefix, encoding }: EventAuthOf<'hmac'>): Buffer | null {
  const text = header.trim()
  if (!text.startsWith(prefix)) return null
  const coded = text.slice(prefix.length)
  const shape = encoding === 'hex' ? /^([0-9a-f]{2})+$/i : /^[A-Za-z0-9+/_-]+={0,2}$/
  return shape.test(coded) ? Buffer.from(coded, encoding) : null
}

/** The tolerance in both directions, as in the libraries of Standard Webhooks. */
export const toleranceMs = 5 * 60_000

/**
 * Checks that the signed timestamp of an event is close enough to the current time.
 * @returns null if it is; otherwise the refusal: the event is a replay, or the sender's clock is wrong
 */
export function refuseInstant(text: string | undefined, format: EventTimeFormat, now: Date): AuthVerdict | null {
  if (text === undefined) return refuse('timestamp-missing')
  const at = instantMs(text, format)
  if (at === null) return refuse('timestamp-unreadable')
  return Math.abs(now.getTime() - at) > toleranceMs ? refuse('timestamp-outside-tolerance') : null
}
