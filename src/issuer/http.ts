// The wire: sends one request and says what became of it. The only file that knows undici.

import { Agent } from 'undici'
import type { Clock } from '#src/time/clock.ts'
import { collectAnswer } from './answer-collector.ts'
import { parseBaseUrl } from './base-url.ts'
import type { Exchange, HttpRequest } from './exchange.ts'
import { unpackBody } from './unpack-body.ts'

// dispatch() and bare Agents: no interceptor, so nothing retries a POST and nothing follows a redirect with it (fetch
// re-sends the body to wherever a 307 points). HTTP/2 is off: there one GOAWAY makes several sends unknown at once.

export interface HttpOptions {
  /** Address of the service; see parseBaseUrl. */
  baseUrl: string
  clock: Clock
  /** Milliseconds for TCP and TLS together. Default 10 000. */
  connectTimeoutMs?: number
  /** Longest answer that is read. Default 64 MiB. */
  maxAnswerBytes?: number
}

export interface Http {
  /** Sends `request` once. Never rejects for what the network or the service does. */
  exchange(request: HttpRequest): Promise<Exchange>
  /** Lets exchanges under way end, then closes the connections. */
  close(): Promise<void>
}

/** Throws BaseUrlError for an address that is not https (or http on loopback). */
export function openHttp(options: HttpOptions): Http {
  const { clock, connectTimeoutMs = 10_000, maxAnswerBytes = 64 * 1024 * 1024 } = options
  const { origin, prefix } = parseBaseUrl(options.baseUrl)
  // Timeouts of undici off (0): the collector's deadline covers the whole exchange.
  const common = { allowH2: false, connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0 }
  const agents = {
    read: new Agent(common),
    // pipelining 0 gives every call a fresh connection: measured, a kept one may be reset after the service committed.
    invitation: new Agent({ ...common, connections: changingConnections, pipelining: 0 }),
    change: new Agent({ ...common, connections: changingConnections, pipelining: 0 }),
  }

  function exchange(request: HttpRequest): Promise<Exchange> {
    const maySend = request.maySend ?? (() => true)
    if (!maySend()) return Promise.resolve({ kind: 'failed', code: 'DOOR_STALE', sent: false })
    return new Promise((end) => {
      const { method, deadlineMs, body = null, wants } = request
      const keepBytes = wants === 'file'
      const most = Math.min(maxAnswerBytes, request.maxBytes ?? maxAnswerBytes)
      const sink = request.sink ? unpackBody(request.sink, most) : null
      const ended = (exchange: Exchange) => {
        sink?.drop()
        end(exchange)
      }
      const handler = collectAnswer({ clock, deadlineMs, maxAnswerBytes: most, keepBytes, sink, maySend, end: ended })
      const address = request.origin
        ? { origin: request.origin, path: request.path }
        : { origin, path: prefix + request.path }
      agents[request.lane].dispatch({ ...address, method, headers: headersOf(request), body: bytesOf(body) }, handler)
    })
  }

  return {
    exchange,
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.close()))
    },
  }
}

/** Invitations, and other changing calls, that can be on the wire at once; a fifth would wait inside undici, after its allowance was taken. */
export const changingConnections = 4

function bytesOf(body: HttpRequest['body'] | null): string | Buffer | null {
  return typeof body === 'object' && body !== null ? body.bytes : (body ?? null)
}

function headersOf({ body, token, wants, origin }: HttpRequest): Record<string, string> {
  const contentType = typeof body === 'string' ? 'application/json' : body?.contentType
  return {
    accept: wants === 'file' ? '*/*' : 'application/json',
    // No compression is asked for: an answer of 64 MiB must not become 64 GiB by unpacking. A file that comes packed all the same is unpacked to that size.
    'accept-encoding': 'identity',
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    // The token is for the service alone, whatever a caller put together.
    ...(token === undefined || origin !== undefined ? {} : { authorization: `Bearer ${token}` }),
  }
}
