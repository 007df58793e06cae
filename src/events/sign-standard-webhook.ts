// The headers that let a receiver tell that an outgoing event is ours: Standard Webhooks.

import { Webhook } from 'standardwebhooks'
import type { Secret } from '#src/secret/secret.ts'

export interface UnsignedWebhook {
  /** The same for every try of one event. Without full stops: they separate what is signed. */
  id: string
  /** When this try leaves. */
  at: Date
  /** The body exactly as it will be sent. */
  body: string
  /** `whsec_` and base64. Two while a secret is being changed: the event is signed with both. */
  secret: Secret | readonly Secret[]
}

export function signStandardWebhook({ id, at, body, secret }: UnsignedWebhook): Record<string, string> {
  if (!/^[\w-]+$/.test(id))
    throw new Error('The id of a webhook may have letters, digits, - and _ only; make it of a uuid.')
  const signatures = [secret].flat().map((each) => new Webhook(each.reveal()).sign(id, at, body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}
