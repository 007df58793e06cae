// Sends HTTP requests, each exactly once, reports their results, and attaches to each answer the secrets that were
// sent. The only file in src/issuer that imports undici.

import { Agent } from 'undici'
import { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { userAgent } from '#src/platform/version.ts'
import { collectAnswer, defaultMaxAnswerBytes } from './answer-collector.ts'
import { parseBaseUrl } from './base-url.ts'
import type { Exchange, HttpRequest } from './exchange.ts'

export interface HttpOptions {
  /** Address of the service; see parseBaseUrl. */
  baseUrl: string
  clock: Clock
  /** Milliseconds for TCP and TLS together. Default 10 000. */
  connectTimeoutMs?: number
  /** Maximum length of an answer. Default 64 MiB. */
  maxAnswerBytes?: number
}

export interface Http {
  /** Sends `request` once. Never rejects because of the network or the service. */
  exchange(request: HttpRequest): Promise<Exchange>
  /** Waits for running exchanges, then closes the connections. */
  close(): Promise<void>
}

/**
 * Uses dispatch() and bare Agents: without interceptors, nothing retries a POST or follows a redirect with it (fetch
 * sends the body again to wherever a 307 points). HTTP/2 is off, because one GOAWAY would make the outcome of several
 * requests unknown.
 * @throws BaseUrlError for an address that is not https (or http on loopback)
 */
export function openHttp(options: HttpOptions): Http {
  const { clock, connectTimeoutMs = 10_000, maxAnswerBytes = defaultMaxAnswerBytes } = options
  const { origin, prefix } = parseBaseUrl(options.baseUrl)
  // undici's own timeouts are off (0): the collector's deadline covers the whole exchange.
  const common = { allowH2: false, connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0 }
  const agents = {
    read: new Agent(common),
    // pipelining 0 gives every call a fresh connection. Measurements showed that a reused connection may be reset after
    // the service has committed.
    invitation: new Agent({ ...common, connections: connectionsOf.invitation, pipelining: 0 }),
    change: new Agent({ ...common, connections: connectionsOf.change, pipelining: 0 }),
  }

  function exchange(request: HttpRequest): Promise<Exchange> {
    const maySend = request.maySend ?? (() => true)
    if (!maySend()) return Promise.resolve({ kind: 'failed', code: 'CLAIM_EXPIRED', sent: false })
    return new Promise((end) => {
      const { method, deadlineMs, body = null, wants } = request
      const keepBytes = wants === 'file'
      const handler = collectAnswer({ clock, deadlineMs, maxAnswerBytes, keepBytes, maySend, end })
      const path = prefix + request.path
      agents[request.lane].dispatch({ origin, path, method, headers: headersOf(request), body: bytesOf(body) }, handler)
    })
  }

  return {
    exchange,
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.close()))
    },
  }
}

/**
 * How many calls can run in a lane at the same time. A further call would wait for a connection inside undici, although
 * it has already used its slot at the gate. `invitations.concurrency` cannot exceed the first value.
 */
export const connectionsOf = { invitation: 32, change: 4 }

function bytesOf(body: HttpRequest['body'] | null): string | Buffer | null {
  return typeof body === 'object' && body !== null ? body.bytes : (body ?? null)
}

function headersOf({ body, token, wants }: HttpRequest): Record<string, string> {
  const contentType = typeof body === 'string' ? 'application/json' : body?.contentType
  return {
    'user-agent': userAgent,
    accept: wants === 'file' ? '*/*' : 'application/json',
    // Compression is not requested, because an answer of 64 MiB must not expand to 64 GiB. A file that arrives
    // compressed nevertheless is decompressed up to the size limit.
    'accept-encoding': 'identity',
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
}

/**
 * Wraps `http`. In each answer, `sentSecrets` lists the given secrets (key and secret) and the tokens of the request,
 * so that they can be removed from any message that the service returns.
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
