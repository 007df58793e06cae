// Authenticates events that contain a shared secret, in the Authorization header or in the body. Pure.

import { removeAt, valueAt } from '#src/platform/json-pointer.ts'
import { isKnownSecret } from '#src/platform/same-secret.ts'
import type { EventAuthOf } from './event-auth-settings.ts'
import { parseEventBody, parseQuickly } from './event-body.ts'
import { type AuthVerdict, headerOf, type InboundRequest, refuse } from './inbound-request.ts'

export function checkBearer(settings: EventAuthOf<'bearer'>, delivery: InboundRequest): AuthVerdict {
  const token = credentialsOf(delivery, 'bearer')
  if (token === null) return refuse('credentials-missing')
  return verdictOf(isKnownSecret(token, [settings.secret].flat()), delivery)
}

export function checkBasic(settings: EventAuthOf<'basic'>, delivery: InboundRequest): AuthVerdict {
  const encoded = credentialsOf(delivery, 'basic')
  if (encoded === null) return refuse('credentials-missing')
  const known = [settings.password].flat().map((password) => Buffer.from(`${settings.user}:${password}`))
  return verdictOf(isKnownSecret(Buffer.from(encoded, 'base64'), known), delivery)
}

/** The payload is the body without the secret, so that the secret is not stored. */
export function checkBodySecret(settings: EventAuthOf<'body'>, delivery: InboundRequest): AuthVerdict {
  // Spends as little time as possible on an unauthenticated sender: preserving the digits of numbers takes ten times as
  // long.
  const quickBody = parseQuickly(delivery.body)
  if (!quickBody.ok) return refuse('body-unreadable')
  const received = valueAt(quickBody.value, settings.pointer)
  if (typeof received !== 'string') return refuse('credentials-missing')
  if (!isKnownSecret(received, [settings.secret].flat())) return refuse('credentials-wrong')
  const body = parseEventBody(delivery.body)
  if (!body.ok) return refuse('body-unreadable')
  removeAt(body.value, settings.pointer)
  return { ok: true, body: Buffer.from(JSON.stringify(body.value)) }
}

/** Returns the credentials after a scheme in the Authorization header (RFC 9110 11.4); null for any other header. */
function credentialsOf(delivery: InboundRequest, scheme: string): string | null {
  const [, name = '', rest = ''] = /^(\S+) +(\S+)$/.exec(headerOf(delivery.headers, 'authorization') ?? '') ?? []
  return name.toLowerCase() === scheme ? rest : null
}

function verdictOf(isMatch: boolean, delivery: InboundRequest): AuthVerdict {
  return isMatch ? { ok: true, body: delivery.body } : refuse('credentials-wrong')
}
