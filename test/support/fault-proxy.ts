// A raw TCP proxy between worker and sandbox that injects network faults into chosen exchanges. It parses only enough
// HTTP/1.1 to read paths and find the end of a body; faults write raw bytes to the worker.

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { forwardRaw, lengthOf, pathOf, type RawAnswer, readBytes, renderAnswer } from './raw-http.ts'

/** One exchange on the wire that a fault can act on. */
export interface WireExchange {
  client: Socket
  /** Forwards the request to the service and waits for the complete response. */
  forward: () => Promise<RawAnswer>
  /** Aborted when the worker has closed this connection. */
  gone: AbortSignal
}

/**
 * What to do instead of passing the response on. At `head`, the body of the request has not been read, so forward()
 * cannot be used.
 */
export interface Strike {
  at: 'head' | 'request'
  act: (exchange: WireExchange) => Promise<void>
}

export interface FaultProxy {
  url: string
  /** Applies a fault to the exchanges `from` to `from + times - 1`, counted from 1, whose path contains `part`. */
  strike(part: string, from: number, times: number, strike: Strike): void
  /**
   * Calls `act` just before the response to the n-th exchange of `part` is passed on, when the worker cannot have
   * continued yet.
   */
  before(part: string, nth: number, act: () => void): void
  /**
   * Blocks all connections until open(): the system refuses them, or they are accepted and dropped at the first bytes.
   * Closes idle connections.
   */
  shut(mode: 'refuse' | 'drop'): void
  open(): Promise<void>
  /** Number of requests received for `part`, including those with a fault. */
  exchanges(part: string): number
  /** Number of exchanges with a fault, plus connections dropped. */
  struck(): number
  close(): Promise<void>
}

interface Plan {
  part: string
  covers: (nth: number) => boolean
  strike?: Strike
  act?: () => void
}

/** @param identity makes the proxy speak TLS to the worker; it always speaks plain text to the service */
export async function openFaultProxy(target: string, identity?: { key: string; cert: string }): Promise<FaultProxy> {
  const service = new URL(target)
  const sockets = new Set<Socket>()
  /** Keep-alive connections that are idle. */
  const idle = new Set<Socket>()
  const paths: string[] = []
  const plans: Plan[] = []
  let access: 'open' | 'refuse' | 'drop' = 'open'
  let struck = 0
  const countOf = (part: string) => paths.filter((path) => path.includes(part)).length
  const planned = (path: string) => plans.filter((plan) => path.includes(plan.part) && plan.covers(countOf(plan.part)))

  /** Serves exchanges one after the other. Ends when the worker closes the connection or a fault has used it up. */
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
        // If the fault left the connection intact, it serves the next exchange.
        if (client.destroyed || client.writableEnded) return
        idle.add(client)
        continue
      }
      const answer = await forward()
      for (const { act } of chosen) act?.()
      if (access !== 'open') return void client.end(renderAnswer(answer, { connection: 'close' }))
      client.write(renderAnswer(answer))
      idle.add(client)
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    const closed = new AbortController()
    socket.once('close', () => {
      sockets.delete(socket)
      closed.abort()
    })
    if (access === 'drop') {
      struck++
      return void socket.once('data', () => socket.resetAndDestroy())
    }
    const client = identity ? new TLSSocket(socket, { isServer: true, ...identity }) : socket
    client.on('error', () => {})
    client.on('close', () => idle.delete(client))
    // A new connection is idle until its first request: if the proxy is shut before that, the connection must be
    // closed.
    idle.add(client)
    serve(client, closed.signal).catch(() => socket.destroy())
  })
  const port = await listenBelowEphemeralPorts(server)

  return {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${port}`,
    strike: (part, from, times, strike) =>
      void plans.push({ part, covers: (nth) => nth >= from && nth < from + times, strike }),
    before: (part, nth, act) => void plans.push({ part, covers: (count) => count === nth, act }),
    shut(mode) {
      access = mode
      if (mode === 'refuse') server.close()
      // Connections in an exchange get their response first; serve() then closes them.
      for (const client of idle) client.end()
    },
    async open() {
      access = 'open'
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

// Each of the processes that vitest runs at the same time has a thousand ports of its own. Otherwise one could take the
// port that another has closed to refuse connections.
const firstPort = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 12) * 1_000
let lastPort = firstPort + (process.pid % 1_000)

/**
 * Listens on a port below the ephemeral range (which starts at 32,768), so that no other connection takes the port
 * while the proxy refuses connections.
 */
async function listenBelowEphemeralPorts(server: ReturnType<typeof createServer>): Promise<number> {
  for (;;) {
    lastPort = firstPort + ((lastPort - firstPort + 1) % 1_000)
    const port = lastPort
    const inUse = await new Promise<boolean>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(true) : reject(error))
      server.once('error', fail)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', fail)
        resolve(false)
      })
    })
    if (!inUse) return port
  }
}
