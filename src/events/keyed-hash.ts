// Deliveries that are signed with a key that both sides know: Standard Webhooks, and HMAC headers of any other make.

import { createHmac } from 'node:crypto'
import type { EventAuthOf } from '#config/event-auth-settings.ts'
import { type Delivery, headerOf, refuse, type Verdict } from './delivery.ts'
import { isOneOf } from './same-secret.ts'
import { refuseInstant } from './signed-instant.ts'

/**
 * Standard Webhooks, symmetric: HMAC-SHA256 over id, timestamp and the bytes of the body. Computed here and not by the library, which
 * reads the machine's clock by itself and signs the body as text, so that broken UTF-8 is no longer what was sent.
 */
export function checkStandardWebhook(
  settings: EventAuthOf<'standard-webhooks'>,
  delivery: Delivery,
  now: Date,
): Verdict {
  const id = headerOf(delivery.headers, 'webhook-id')
  const signatures = headerOf(delivery.headers, 'webhook-signature')
  const timestamp = headerOf(delivery.headers, 'webhook-timestamp')
  if (id === undefined || signatures === undefined) return refuse('signature-missing')
  const late = refuseInstant(timestamp, 'epoch-seconds', now)
  if (late) return late
  const keys = [settings.secret].flat().map((each) => Buffer.from(each.replace(/^whsec_/, ''), 'base64'))
  const known = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(delivery.body).digest('base64'),
  )
  const given = signatures.split(' ').filter((each) => each.startsWith('v1,'))
  if (given.length === 0) return refuse('signature-missing')
  // A key that is being changed signs twice; more than a handful is somebody trying.
  const fits = given.slice(0, 10).map((each) => isOneOf(each.slice(3), known))
  return fits.includes(true) ? { ok: true, body: delivery.body } : refuse('signature-wrong')
}

/** An HMAC of the body, or of a text around it, in a header of the sender's choice. */
export function checkHmac(settings: EventAuthOf<'hmac'>, delivery: Delivery, now: Date): Verdict {
  const header = headerOf(delivery.headers, settings.header)
  if (header === undefined) return refuse('signature-missing')
  const { timestamp: timed } = settings
  const timestamp = timed && headerOf(delivery.headers, timed.header)
  const late = timed ? refuseInstant(timestamp, timed.format, now) : null
  if (late) return late
  const given = signatureBytes(header, settings)
  if (given === null) return refuse('signature-wrong')
  const [before = '', after = ''] = (timed?.signed ?? '{body}')
    .split('{body}')
    .map((part) => part.replaceAll('{timestamp}', () => timestamp ?? ''))
  const known = [settings.secret]
    .flat()
    .map((key) => createHmac(settings.algorithm, key).update(before).update(delivery.body).update(after).digest())
  return isOneOf(given, known) ? { ok: true, body: delivery.body } : refuse('signature-wrong')
}

function signatureBytes(header: string, { prefix, encoding }: EventAuthOf<'hmac'>): Buffer | null {
  const text = header.trim()
  if (!text.startsWith(prefix)) return null
  const coded = text.slice(prefix.length)
  const shape = encoding === 'hex' ? /^([0-9a-f]{2})+$/i : /^[A-Za-z0-9+/_-]+={0,2}$/
  return shape.test(coded) ? Buffer.from(coded, encoding) : null
}
