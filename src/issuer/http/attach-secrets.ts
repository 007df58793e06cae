// Attaches to each answer the secrets that were sent to the service, so that they can be removed from any message that
// the service returns.

import { Secret } from '#src/platform/secret.ts'
import type { HttpRequest } from './exchange.ts'
import type { Http } from './http-client.ts'

/**
 * Wraps `http`. In each answer, `sentSecrets` lists the given secrets (key and secret) and the tokens of the request.
 */
export function attachSecrets(http: Http, sentSecrets: readonly Secret[]): Http {
  return {
    ...http,
    async exchange(request) {
      const exchange = await http.exchange(request)
      if (exchange.kind === 'failed') return exchange
      return { ...exchange, sentSecrets: [...sentSecrets, ...tokensOf(request)] }
    },
  }
}

function tokensOf({ token, path, body }: HttpRequest): Secret[] {
  const tokens: Secret[] = token === undefined ? [] : [new Secret(token)]
  // No other request has a token in its body.
  if (path.includes('/refresh/') && typeof body === 'string')
    tokens.push(new Secret(String(JSON.parse(body).refreshToken)))
  return tokens
}
