// The two token endpoints: key and secret, or a refresh token, for a pair of tokens.

import type { Call, Endpoint } from './call.ts'
import type { Premises } from './premises.ts'
import { fieldsOf, requiredText } from './read-body.ts'
import { Refusal } from './refusal.ts'

const root = '/api/public/identity/v1/entityaccess'

export function tokenEndpoints(premises: Premises): Endpoint[] {
  const door = { method: 'POST', admits: 'key holders' } as const
  return [
    { ...door, path: `${root}/token`, answer: (call) => signIn(premises, call) },
    { ...door, path: `${root}/refresh/token`, answer: (call) => refresh(premises, call) },
  ]
}

function signIn({ settings, clock, tokens, journal }: Premises, { body }: Call) {
  const fields = fieldsOf(body)
  const matches = requiredText(fields, 'key') === settings.key && requiredText(fields, 'secret') === settings.secret
  if (!matches) throw new Refusal(401, 'Unauthorized. The key or the secret is not right.')
  journal.tokenGiven()
  // Token answers are the only ones without message and pager.
  return { json: { status: 200, payload: tokens.give(settings.key, clock.monotonicMs()) } }
}

function refresh({ clock, tokens, journal }: Premises, { body }: Call) {
  const pair = tokens.renew(requiredText(fieldsOf(body), 'refreshToken'), clock.monotonicMs())
  if (!pair) throw new Refusal(401, 'Unauthorized. The refresh token is unknown, used or too old.')
  journal.refreshGiven()
  return { json: { status: 200, payload: pair } }
}
