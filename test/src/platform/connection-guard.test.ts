// What a guard of the ports lets strangers do: how many connections, and how many requests on each.

import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type ConnectionGuard, openConnectionGuard } from '#src/platform/connection-guard.ts'
import { until } from '#test/support/until.ts'

const most = 500

async function serve(guard: ConnectionGuard, listener: RequestListener = () => {}): Promise<number> {
  const server = guard.serve(listener, { requestMs: 60_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** @param from an address of this machine, each of which is another sender */
async function open(port: number, from = '127.0.0.1'): Promise<{ socket: Socket; isOpen: boolean; text: string }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const seen = { socket, isOpen: true, text: '' }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    seen.text += chunk
  })
  socket.on('close', () => {
    seen.isOpen = false
  })
  onTestFinished(() => void socket.destroy())
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return seen
}

const openMany = (port: number, count: number) => Promise.all(Array.from({ length: count }, () => open(port)))

test('two servers have one number of connections together', async () => {
  const guard = openConnectionGuard()
  const [first, second] = [await serve(guard), await serve(guard)]
  const all = [...(await openMany(first, most)), ...(await openMany(second, 100))]
  const openCount = () => all.filter(({ isOpen }) => isOpen).length
  await until('the oldest to be closed', () => openCount() === most || `${openCount()} are open`)
})

test('whoever has the most connections loses one, and nobody else does', async () => {
  const port = await serve(openConnectionGuard())
  const other = await open(port, '127.0.0.2')
  const many = await openMany(port, most + 100)
  const openCount = () => many.filter(({ isOpen }) => isOpen).length
  await until('some to be closed', () => openCount() === most - 1 || `${openCount()} are open`)
  expect(other.isOpen).toBe(true)
})

test('a sender that has proven its identity keeps its connection while it is answered', async () => {
  const guard = openConnectionGuard()
  const proven = Promise.withResolvers<void>()
  const port = await serve(guard, ({ socket }) => {
    guard.keep(socket)
    proven.resolve()
  })
  const known = await open(port)
  known.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await proven.promise
  const many = await openMany(port, most + 10)
  const openCount = () => many.filter(({ isOpen }) => isOpen).length
  await until('some to be closed', () => openCount() === most - 1 || `${openCount()} are open`)
  expect(known.isOpen).toBe(true)
})

test.each([
  ['with the first', 0],
  ['after the first', 1],
])('a connection that sends its next requests %s, before that was answered, is closed', async (_, before) => {
  let requests = 0
  const arrived = Promise.withResolvers<void>()
  const port = await serve(openConnectionGuard(), () => {
    requests++
    arrived.resolve()
  })
  const client = await open(port)
  const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  client.socket.write(request.repeat(before))
  if (before > 0) await arrived.promise
  client.socket.write(before > 0 ? request : request.repeat(2_000))
  await until('the connection to be closed', () => !client.isOpen || 'it is open')
  expect(requests).toBe(before)
})

test.each([
  'GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n',
  'GET / HTTP/2.0\r\nconnection: keep-alive\r\n\r\n',
  'GET /\r\nconnection: keep-alive\r\n\r\n',
  'GET / RTSP/1.0\r\nconnection: keep-alive\r\n\r\n',
  'GET  *  HTTP/1.1\r\nhost: x\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}',
])('a thousand requests at once reach the program in no form: %j', async (request) => {
  let requests = 0
  const port = await serve(openConnectionGuard(), () => {
    requests++
  })
  const client = await open(port)
  client.socket.write(request.repeat(1_000))
  await until('the connection to be closed', () => !client.isOpen || 'it is open')
  expect(requests).toBe(0)
})

test('requests one after the other on one connection are all answered', async () => {
  const port = await serve(openConnectionGuard(), (_, response) => void response.end('yes'))
  const client = await open(port)
  for (let n = 1; n <= 3; n++) {
    client.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await until('an answer', () => client.text.split('yes').length - 1 === n || client.text)
  }
  expect(client.isOpen).toBe(true)
})
