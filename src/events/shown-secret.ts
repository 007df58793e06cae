// Deliveries that show a secret: in the Authorization header, or inside of the body.

import type { EventAuthOf } from '#config/event-auth-settings.ts'
import { removeAt, valueAt } from '#src/json/json-pointer.ts'
import { type Delivery, headerOf, refuse, type Verdict } from './delivery.ts'
import { parseEventBody, parseQuickly } from './event-body.ts'
import { isOneOf } from './same-secret.ts'

export function checkBearer(settings: EventAuthOf<'bearer'>, delivery: Delivery): Verdict {
  const token = afterScheme(delivery, 'bearer')
  if (token === null) return refuse('credentials-missing')
  return judge(isOneOf(token, [settings.secret].flat()), delivery)
}

export function checkBasic(settings: EventAuthOf<'basic'>, delivery: Delivery): Verdict {
  const coded = afterScheme(delivery, 'basic')
  if (coded === null) return refuse('credentials-missing')
  const known = [settings.password].flat().map((password) => Buffer.from(`${settings.user}:${password}`))
  return judge(isOneOf(Buffer.from(coded, 'base64'), known), delivery)
}

/** The payload is the body without the secret, so that it is stored nowhere. */
export function checkBodySecret(settings: EventAuthOf<'body'>, delivery: Delivery): Verdict {
  // Of a stranger no more is read than has to be: to keep the digits of numbers costs ten times as much.
  const quick = parseQuickly(delivery.body)
  if (!quick.ok) return refuse('body-unreadable')
  const shown = valueAt(quick.value, settings.pointer)
  if (typeof shown !== 'string') return refuse('credentials-missing')
  if (!isOneOf(shown, [settings.secret].flat())) return refuse('credentials-wrong')
  const body = parseEventBody(delivery.body)
  if (!body.ok) return refuse('body-unreadable')
  removeAt(body.value, settings.pointer)
  return { ok: true, body: Buffer.from(JSON.stringify(body.value)) }
}

/** RFC 9110 11.4: the scheme in any case, spaces, the credentials. */
function afterScheme(delivery: Delivery, scheme: string): string | null {
  const [, name = '', rest = ''] = /^(\S+) +(\S+)$/.exec(headerOf(delivery.headers, 'authorization') ?? '') ?? []
  return name.toLowerCase() === scheme ? rest : null
}

function judge(fits: boolean, delivery: Delivery): Verdict {
  return fits ? { ok: true, body: delivery.body } : refuse('credentials-wrong')
}
