// The two token endpoints: key and secret, or a refresh token, for a pair of tokens.

import type { FastifyInstance } from 'fastify'
import type { Premises } from './premises.ts'
import { fieldsOf, requiredText } from './read-body.ts'
import { Refusal } from './refusal.ts'

const root = '/api/public/identity/v1/entityaccess'

export function addTokenRoutes(app: FastifyInstance, premises: Premises): void {
  const { settings, clock, tokens, journal, gate } = premises

  app.post(`${root}/token`, { onRequest: gate.forTokens }, async (request) => {
    const fields = fieldsOf(request.body)
    const matches = requiredText(fields, 'key') === settings.key && requiredText(fields, 'secret') === settings.secret
    if (!matches) throw new Refusal(401, 'Unauthorized. The key or the secret is not right.')
    journal.tokenGiven()
    // Token answers are the only ones without message and pager.
    return { status: 200, payload: tokens.give(settings.key, clock.monotonicMs()) }
  })

  app.post(`${root}/refresh/token`, { onRequest: gate.forTokens }, async (request) => {
    const pair = tokens.renew(requiredText(fieldsOf(request.body), 'refreshToken'), clock.monotonicMs())
    if (!pair) throw new Refusal(401, 'Unauthorized. The refresh token is unknown, used or too old.')
    journal.refreshGiven()
    return { status: 200, payload: pair }
  })
}
