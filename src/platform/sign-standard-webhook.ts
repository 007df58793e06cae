// Signs an outgoing event: returns the Standard Webhooks headers with which a receiver can verify it. Pure.

import { Webhook } from 'standardwebhooks'
import type { Secret } from './secret.ts'

const minStandardBytes = 18

/**
 * Accepts secrets of at least 24 base64 characters. The standard requires keys of 24 to 64 bytes from those who
 * generate them.
 */
export function isStandardSecret(text: string): boolean {
  const coded = text.replace(/^whsec_/, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(coded) && Buffer.from(coded, 'base64').length >= minStandardBytes
}
export const notStandardSecret =
  'is not a Standard Webhooks secret, which is whsec_ followed by at least 24 characters of base64; create one with: echo "whsec_$(openssl rand -base64 32)"'

export interface UnsignedWebhook {
  /** The same for every attempt to deliver one event. It must not contain dots, which separate the signed parts. */
  id: string
  /** The time of this attempt. */
  at: Date
  /** The body exactly as it will be sent. */
  body: string
  /** `whsec_` and base64. During a rotation there are two secrets, and the event is signed with both. */
  secret: Secret | readonly Secret[]
}

export function signStandardWebhook({ id, at, body, secret }: UnsignedWebhook): Record<string, string> {
  if (!/^[\w-]+$/.test(id))
    throw new Error('The id of a webhook may contain only letters, digits, - and _; use a UUID.')
  const signatures = [secret].flat().map((each) => new Webhook(each.reveal()).sign(id, at, body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}
