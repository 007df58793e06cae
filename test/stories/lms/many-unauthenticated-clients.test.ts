// Many concurrent unauthenticated clients at the endpoints: their requests take little memory, and the legitimate
// system still gets through.

import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openCampus } from '#test/support/campus.ts'
import { openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'

const key = Buffer.from('a key that only two of us know, ever')
const secret = `whsec_${key.toString('base64')}`
const token = 'a-token-of-the-shop-that-nobody-guesses'
const map = { learner: '/learner', course: '/course' }
const systems = () => ({
  shop: { type: 'webhook', auth: { type: 'standard-webhooks', secret }, map },
  hashed: { type: 'webhook', auth: { type: 'hmac', header: 'x-signature', secret: token }, map },
  shown: { type: 'webhook', auth: { type: 'bearer', secret: token }, map },
})

const clientCount = 150
const megabyte = 1_000_000
const largeBody = (learner: string) => JSON.stringify({ learner, course: 'C', note: 'x'.repeat(900_000) })

function signed(body: string, id: string, signingKey = key) {
  const seconds = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', signingKey).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
}

/** Sends all but the last byte of a megabyte and reads the response. */
function unauthenticatedClient(url: string, path: string, headers: Record<string, string>) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const seen = { socket, status: null as string | null, closed: false }
  socket.on('error', () => {})
  socket.on('close', () => {
    seen.closed = true
  })
  socket.on('data', (chunk) => {
    seen.status ??= /^HTTP\/1.1 (\d+)/.exec(chunk.toString())?.[1] ?? null
  })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(
    [`POST ${path} HTTP/1.1`, 'host: x', `content-length: ${megabyte}`, ...lines, '', ''].join('\r\n') +
      'x'.repeat(megabyte - 1),
  )
  return seen
}

async function bodyBytes(url: string): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text()
  return Number(/^credsync_body_bytes (\d+)/m.exec(page)?.[1])
}

const disconnect = (all: { socket: Socket }[]) => all.forEach(({ socket }) => void socket.destroy())

describeWithDatabase('unauthenticated clients that each send a megabyte', () => {
  const basic = `Basic ${Buffer.from('lms:wrong').toString('base64')}`
  test.each<[string, string, Record<string, string>]>([
    ['a wrong token', '/events/shown', { authorization: 'Bearer wrong' }],
    ['no token', '/events/shown', {}],
    ['an old signature', '/events/shop', { ...signed('', 'm'), 'webhook-timestamp': '1' }],
    ['no signature', '/events/hashed', {}],
    ['a wrong password', '/xapi/statements/statements', { authorization: basic, 'x-experience-api-version': '1.0.3' }],
    ['an unknown path', '/nothing/here', { 'content-type': 'application/json' }],
  ])('with %s are rejected before their bodies arrive, and nothing from them is stored', async (_, path, headers) => {
    await using campus = await openCampus({ idle: true, systems })
    const clients = Array.from({ length: clientCount }, () => unauthenticatedClient(campus.web.url, path, headers))
    const expected = path === '/nothing/here' ? '404' : '401'
    const refused = () => clients.every(({ status }) => status === expected)
    await until('all to be refused', () => refused() || String(clients.map(({ status }) => status)))
    expect(await bodyBytes(campus.web.url)).toBe(0)
    disconnect(clients)
  })

  test('with a wrong signature take 20 MB at most, and the legitimate system gets through with an equally large body', async () => {
    await using campus = await openCampus({ idle: true, systems })
    const { url } = campus.web
    const headers = signed('another body', 'm')
    const clients = Array.from({ length: clientCount }, () => unauthenticatedClient(url, '/events/shop', headers))
    const refused = () => clients.filter(({ status }) => status === '503').length
    await until('the memory for bodies to be full', () => refused() >= clientCount - 20 || `${refused()} were refused`)
    const heldBytes = await bodyBytes(url)
    expect(heldBytes).toBeGreaterThan(10 * megabyte)
    expect(heldBytes).toBeLessThanOrEqual(20 * megabyte)
    const body = largeBody('u-1')
    expect((await campus.post(body, '/events/shop', signed(body, 'm1'))).status).toBe(200)
    const shown = { authorization: `Bearer ${token}` }
    expect((await campus.post(largeBody('u-2'), '/events/shown', shown)).status).toBe(200)
    disconnect(clients)
    await until('the memory for bodies to be released', async () => {
      const left = await bodyBytes(url)
      return left === 0 || `${left} bytes are held`
    })
  })

  test('cannot hold connections forever, because a new connection replaces the oldest', async () => {
    await using campus = await openCampus({ idle: true, systems })
    const { port } = new URL(campus.web.url)
    const silentClients = Array.from({ length: 700 }, () => {
      const socket = connect(Number(port), '127.0.0.1')
      const seen = { socket, closed: false }
      socket.on('error', () => {})
      socket.on('close', () => {
        seen.closed = true
      })
      return seen
    })
    const closedCount = () => silentClients.filter((silentClient) => silentClient.closed).length
    await until('the oldest connections to be closed', () => closedCount() >= 200 || `${closedCount()} went`)
    expect((await campus.post(largeBody('u-1'), '/events/shown', { authorization: `Bearer ${token}` })).status).toBe(
      200,
    )
    expect((await fetch(`${campus.web.url}/health/live`)).status).toBe(200)
    disconnect(silentClients)
  })
})

/** Opens a connection that sends `count` requests without waiting for the responses. */
function openPipelined(url: string, head: string, count: number) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const seen = { socket, answers: 0, closed: false }
  socket.on('error', () => {})
  socket.on('close', () => {
    seen.closed = true
  })
  socket.on('data', (chunk) => {
    seen.answers += chunk.toString().split('HTTP/1.1 ').length - 1
  })
  socket.write(head.repeat(count))
  return seen
}

describeWithDatabase('a client that does not wait for responses', () => {
  const forged = Object.entries(signed('another body', 'm')).map(([name, value]) => `${name}: ${value}`)
  const event = ['POST /events/shop HTTP/1.1', 'host: x', 'content-length: 2', ...forged, '', '{}'].join('\r\n')
  test.each([
    ['deliveries', event],
    ['metrics', 'GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('and sends a thousand requests for %s at once is disconnected after the first response', async (_, head) => {
    await using campus = await openCampus({ idle: true, systems })
    const { url } = campus.web
    const clients = Array.from({ length: 20 }, () => openPipelined(url, head, 1_000))
    await until('all to be disconnected', () => clients.every(({ closed }) => closed))
    expect(clients.filter(({ answers }) => answers > 1)).toEqual([])
    const health = 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'
    const waitingClient = openPipelined(url, health, 1)
    for (let n = 1; n <= 3; n++) {
      await until('an answer', () => waitingClient.answers === n || `${waitingClient.answers} answers`)
      waitingClient.socket.write(health)
    }
    disconnect([waitingClient])
  })

  test('reaches the console once', async () => {
    await using console = await openConsoleWorld()
    const cookie = `credsync-development=${'a'.repeat(43)}`
    const page = `GET / HTTP/1.1\r\nhost: 127.0.0.1:${console.port}\r\ncookie: ${cookie}\r\n\r\n`
    const clients = Array.from({ length: 20 }, () => openPipelined(console.pages.url, page, 3_000))
    await until('all to be disconnected', () => clients.every(({ closed }) => closed))
    expect(clients.filter(({ answers }) => answers > 1)).toEqual([])
    expect((await console.ask('/sign-in')).status).toBe(200)
  })
})
