// The two token endpoints, which issue a pair of tokens for key and secret or for a refresh token.

import type { SandboxCall, SandboxEndpoint } from './call.ts'
import { fieldsOf, requiredText } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'
import type { RouteContext } from './route-context.ts'

const root = '/api/public/identity/v1/entityaccess'

export function tokenEndpoints(context: RouteContext): SandboxEndpoint[] {
  const route = { method: 'POST', admits: 'key holders' } as const
  return [
    { ...route, path: `${root}/token`, answer: (call) => signIn(context, call) },
    { ...route, path: `${root}/refresh/token`, answer: (call) => refresh(context, call) },
  ]
}

function signIn({ settings, clock, tokens, journal }: RouteContext, { body }: SandboxCall) {
  const fields = fieldsOf(body)
  const matches = requiredText(fields, 'key') === settings.key && requiredText(fields, 'secret') === settings.secret
  if (!matches) throw new SandboxRefusal(401, 'Unauthorized. The key or the secret is not right.')
  journal.tokenGiven()
  // Token responses are the only ones without a message or a pager.
  return { json: { status: 200, payload: tokens.give(settings.key, clock.monotonicMs()) } }
}

function refresh({ clock, tokens, journal }: RouteContext, { body }: SandboxCall) {
  const pair = tokens.renew(requiredText(fieldsOf(body), 'refreshToken'), clock.monotonicMs())
  if (!pair) throw new SandboxRefusal(401, 'Unauthorized. The refresh token is unknown, used or too old.')
  journal.refreshGiven()
  return { json: { status: 200, payload: pair } }
}
