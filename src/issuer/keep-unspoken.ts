// The wire with a word of warning on each answer: what was sent to the service in confidence, and must not be told again with its words.

import type { HttpRequest } from './exchange.ts'
import type { Http } from './http.ts'
import type { Secret } from './secret.ts'

/** The same wire. Its answers name `confidences`: those given here (key and secret), and the tokens of the request itself. */
export function keepUnspoken(wire: Http, confidences: readonly Secret[]): Http {
  return {
    ...wire,
    async exchange(request) {
      const exchange = await wire.exchange(request)
      if (exchange.kind === 'failed') return exchange
      return { ...exchange, confidences: [...confidences, ...tokensOf(request)] }
    },
  }
}

function tokensOf({ token, path, body }: HttpRequest): Secret[] {
  const tokens: Secret[] = token === undefined ? [] : [{ reveal: () => token }]
  // The one body that holds a token.
  if (path.includes('/refresh/') && typeof body === 'string')
    tokens.push({ reveal: () => String(JSON.parse(body).refreshToken) })
  return tokens
}
