// A proxy on raw TCP between worker and sandbox: chosen exchanges get what networks do to them. It knows just enough of HTTP/1.1
// to tell paths apart and to find the end of a body; whatever a fault writes to the worker leaves here byte for byte.

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { forwardRaw, lengthOf, pathOf, type RawAnswer, readBytes, renderAnswer } from './raw-http.ts'

/** One exchange as it stands on the wire, for a fault to act on. */
export interface WireExchange {
  client: Socket
  /** Hands the request to the service and waits for its whole answer. */
  forward: () => Promise<RawAnswer>
  /** Aborted when the worker has gone away from this connection. */
  gone: AbortSignal
}

/** What is done instead of passing an answer on. At `head` the request's body has not been read, and forward() is of no use. */
export interface Strike {
  at: 'head' | 'request'
  act: (exchange: WireExchange) => Promise<void>
}

export interface FaultProxy {
  url: string
  /** Strikes the exchanges `from` to `from + times - 1`, counted from 1, of paths that contain `part`. */
  strike(part: string, from: number, times: number, strike: Strike): void
  /** Does `act` when the answer to the n-th exchange of `part` is about to be passed on: the worker can't have gone further yet. */
  before(part: string, nth: number, act: () => void): void
  /** Lets no connection through until open(): refused by the system, or accepted and dropped at its first bytes. Ends kept ones. */
  shut(manner: 'refuse' | 'drop'): void
  open(): Promise<void>
  /** Exchanges of `part` whose request came in, struck ones included. */
  exchanges(part: string): number
  /** Exchanges that were struck, and connections that were dropped. */
  struck(): number
  close(): Promise<void>
}

interface Plan {
  part: string
  covers: (nth: number) => boolean
  strike?: Strike
  act?: () => void
}

/** @param identity makes it speak TLS to the worker; the service is spoken to in plain text either way */
export async function openFaultProxy(target: string, identity?: { key: string; cert: string }): Promise<FaultProxy> {
  const service = new URL(target)
  const sockets = new Set<Socket>()
  /** Kept connections between two exchanges. */
  const idle = new Set<Socket>()
  const paths: string[] = []
  const plans: Plan[] = []
  let door: 'open' | 'refuse' | 'drop' = 'open'
  let struck = 0
  const countOf = (part: string) => paths.filter((path) => path.includes(part)).length
  const planned = (path: string) => plans.filter((plan) => path.includes(plan.part) && plan.covers(countOf(plan.part)))

  /** One exchange after the other. Ends when the worker closes, or when a fault has had the connection. */
  async function serve(client: Socket, gone: AbortSignal): Promise<void> {
    const bytes = readBytes(client)
    for (;;) {
      const head = await bytes.through('\r\n\r\n')
      idle.delete(client)
      if (!head) return
      const path = pathOf(head)
      paths.push(path)
      const chosen = planned(path)
      const strike = chosen.find((plan) => plan.strike)?.strike
      if (strike) struck++
      const body = strike?.at === 'head' ? Buffer.alloc(0) : await bytes.take(lengthOf(head))
      if (!body) return
      const forward = () => forwardRaw(service, head, body)
      if (strike) {
        await strike.act({ client, forward, gone })
        // A fault that has left the connection whole is followed by the next exchange on it.
        if (client.destroyed || client.writableEnded) return
        idle.add(client)
        continue
      }
      const answer = await forward()
      for (const { act } of chosen) act?.()
      if (door !== 'open') return void client.end(renderAnswer(answer, { connection: 'close' }))
      client.write(renderAnswer(answer))
      idle.add(client)
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    const left = new AbortController()
    socket.once('close', () => {
      sockets.delete(socket)
      left.abort()
    })
    if (door === 'drop') {
      struck++
      return void socket.once('data', () => socket.resetAndDestroy())
    }
    const client = identity ? new TLSSocket(socket, { isServer: true, ...identity }) : socket
    client.on('error', () => {})
    client.on('close', () => idle.delete(client))
    serve(client, left.signal).catch(() => socket.destroy())
  })
  const port = await listenSomewhere(server)

  return {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${port}`,
    strike: (part, from, times, strike) =>
      void plans.push({ part, covers: (nth) => nth >= from && nth < from + times, strike }),
    before: (part, nth, act) => void plans.push({ part, covers: (count) => count === nth, act }),
    shut(manner) {
      door = manner
      if (manner === 'refuse') server.close()
      // Those in the middle of an exchange get their answer and are ended by serve().
      for (const client of idle) client.end()
    },
    async open() {
      door = 'open'
      if (server.listening) return
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    exchanges: countOf,
    struck: () => struck,
    async close() {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

let lastPort = 20_000 + (process.pid % 10_000)

/**
 * Listens on a port below those that systems give away by themselves (from 32 768 on): while the proxy refuses, nobody else's
 * connection may take its port.
 */
async function listenSomewhere(server: ReturnType<typeof createServer>): Promise<number> {
  for (;;) {
    lastPort = lastPort >= 31_999 ? 20_000 : lastPort + 1
    const port = lastPort
    const taken = await new Promise<boolean>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(true) : reject(error))
      server.once('error', fail)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', fail)
        resolve(false)
      })
    })
    if (!taken) return port
  }
}
