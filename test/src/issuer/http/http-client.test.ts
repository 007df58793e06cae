// HTTP requests to a scripted server: whether each counts as sent, and what the client returns for its answer.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpRequest } from '#src/issuer/http/exchange.ts'
import { connectionsOf, type HttpOptions, openHttp } from '#src/issuer/http/http-client.ts'
import { classifyChange } from '#src/issuer/sending/outcome.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import {
  cutInBody,
  envelope,
  json,
  openScriptedServer,
  raw,
  resetBeforeAnswer,
  type ScriptedServer,
  silence,
} from '#test/support/scripted-server.ts'

let server: ScriptedServer
beforeEach(async () => {
  server = await openScriptedServer()
})
afterEach(() => server.close())

const invitation: HttpRequest = {
  lane: 'invitation',
  method: 'POST',
  path: '/upload',
  body: '{"a":1}',
  deadlineMs: 5_000,
}

/** Performs one exchange with a separate client, which is closed afterwards. */
async function exchangeOnce(request: Partial<HttpRequest> = {}, options: Partial<HttpOptions> = {}) {
  const http = openHttp({ baseUrl: server.url, clock: systemClock, ...options })
  const exchange = await http.exchange({ ...invitation, ...request })
  await http.close()
  return exchange
}
const classOf = async (...args: Parameters<typeof exchangeOnce>) =>
  classifyChange(await exchangeOnce(...args), new Date()).class

/** Runs a plain TCP server that sends `greeting` on each connection, for faults below HTTP. */
async function withTcp<T>(greeting: string | null, use: (baseUrl: string) => Promise<T>): Promise<T> {
  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    if (greeting) socket.end(greeting)
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  try {
    return await use(`https://127.0.0.1:${(tcp.address() as AddressInfo).port}`)
  } finally {
    tcp.close()
  }
}

describe('a request that was never sent', () => {
  test('counts as not sent if the connection is refused', async () => {
    const closed = await openScriptedServer()
    await closed.close()
    expect(await exchangeOnce({}, { baseUrl: closed.url })).toEqual({
      kind: 'failed',
      code: 'ECONNREFUSED',
      sent: false,
    })
  })

  test('counts as not sent if the host does not exist', async () => {
    expect(await classOf({}, { baseUrl: 'https://credsync.invalid' })).toBe('not_sent')
  })

  test('counts as not sent if the TLS handshake fails', async () => {
    expect(await withTcp('this is not TLS\n', (baseUrl) => classOf({}, { baseUrl }))).toBe('not_sent')
  })

  test('counts as not sent if the handshake does not finish in time', async () => {
    const exchange = await withTcp(null, (baseUrl) => exchangeOnce({}, { baseUrl, connectTimeoutMs: 300 }))
    expect(exchange).toEqual({ kind: 'failed', code: 'UND_ERR_CONNECT_TIMEOUT', sent: false })
  })

  test('counts as not sent if the deadline passes while connecting', async () => {
    const exchange = await withTcp(null, (baseUrl) =>
      exchangeOnce({ deadlineMs: 50 }, { baseUrl, connectTimeoutMs: 600 }),
    )
    expect(exchange).toEqual({ kind: 'failed', code: 'DEADLINE', sent: false })
  })

  test('counts as not sent if the deadline passes while waiting for a free connection', async () => {
    server.on('/upload', silence)
    const http = openHttp({ baseUrl: server.url, clock: systemClock })
    const most = connectionsOf.invitation
    const all = Array.from({ length: most }, () => http.exchange({ ...invitation, deadlineMs: 3_000 }))
    const oneMore = await http.exchange({ ...invitation, deadlineMs: 200 })
    expect(oneMore).toEqual({ kind: 'failed', code: 'DEADLINE', sent: false })
    for (const each of await Promise.all(all)) expect(each).toEqual({ kind: 'failed', code: 'DEADLINE', sent: true })
    await http.close()
    expect(server.seen).toHaveLength(most)
  })

  test('is not sent if the claim has expired before connecting, and no connection is opened', async () => {
    expect(await exchangeOnce({ maySend: () => false })).toEqual({ kind: 'failed', code: 'CLAIM_EXPIRED', sent: false })
    expect(server.seen).toHaveLength(0)
  })

  test('is not sent if the claim expires while connecting', async () => {
    server.on('/upload', envelope({}))
    let checks = 0
    const maySend = () => ++checks === 1
    expect(await exchangeOnce({ maySend })).toEqual({ kind: 'failed', code: 'CLAIM_EXPIRED', sent: false })
    expect(checks).toBe(2)
    expect(server.seen).toHaveLength(0)
  })
})

describe('a request that may have been applied', () => {
  test.each([
    ['a reset after the request was read', resetBeforeAnswer],
    ['half an answer', cutInBody],
    ['an HTML page under 502', raw(502, '<html>bad gateway</html>')],
    ['an envelope that says 500 under 200', json(200, { status: 500, message: 'no', payload: {} })],
    ['truncated JSON without a length', raw(200, '{"status":200,"mess', { connection: 'close' })],
    ['a redirect', raw(307, '', { location: '/elsewhere' })],
  ])('has an unknown outcome after %s', async (_what, script) => {
    server.on('/upload', script)
    expect(await classOf()).toBe('unknown')
    expect(server.seen).toHaveLength(1)
  })

  test('has an unknown outcome if the deadline passes before the head of the answer', async () => {
    server.on('/upload', silence)
    expect(await exchangeOnce({ deadlineMs: 150 })).toEqual({ kind: 'failed', code: 'DEADLINE', sent: true })
  })

  test('has an unknown outcome if the answer is too slow for the deadline', async () => {
    server.on('/upload', (_seen, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    expect(await exchangeOnce({ deadlineMs: 200 })).toEqual({ kind: 'failed', code: 'DEADLINE', sent: true })
  })

  test('has an unknown outcome if the answer is longer than the limit, and reading stops', async () => {
    server.on('/upload', raw(200, 'x'.repeat(100_000)))
    const exchange = await exchangeOnce({}, { maxAnswerBytes: 1_000 })
    expect(exchange).toEqual({ kind: 'failed', code: 'ANSWER_TOO_LONG', sent: true })
  })
})

describe('an answered request', () => {
  test('returns status, headers and text, after path prefix, token and body were sent as given', async () => {
    server.on('/upload', json(429, { message: 'slow' }, { 'Retry-After': '2' }))
    const http = openHttp({ baseUrl: `${server.url}/pre/`, clock: systemClock })
    const exchange = await http.exchange({ ...invitation, token: 'abc' })
    expect(exchange).toMatchObject({ kind: 'answer', status: 429, text: '{"message":"slow"}' })
    expect(exchange.kind === 'answer' && exchange.headers['retry-after']).toBe('2')
    const [seen] = server.seen
    expect(seen).toMatchObject({ method: 'POST', path: '/pre/upload', body: '{"a":1}' })
    expect(seen?.headers).toMatchObject({ authorization: 'Bearer abc', 'content-type': 'application/json' })
    await http.close()
  })

  test('reuses a connection for reads, but never for invitations', async () => {
    server.on('/upload', envelope({}))
    const http = openHttp({ baseUrl: server.url, clock: systemClock })
    const portsOf = async (lane: HttpRequest['lane']) => {
      const before = server.seen.length
      for (let i = 0; i < 5; i++) {
        await http.exchange({ ...invitation, lane })
        // Waits one cycle of the event loop, because a pool takes a connection back only after its answer was
        // delivered.
        await new Promise((resolve) => setImmediate(resolve))
      }
      return new Set(server.seen.slice(before).map((each) => each.port))
    }
    expect((await portsOf('invitation')).size).toBe(5)
    expect((await portsOf('read')).size).toBeLessThan(5)
    await http.close()
  })
})
