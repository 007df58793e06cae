// A TCP proxy in front of a server. A test can cut or freeze the proxy's connections, but not stop the server, because
// other tests share it.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface CuttableProxy {
  /** The target's URL with the proxy's address. */
  url: string
  /** Resets every connection and refuses new ones, like a stopped server. */
  cut(): Promise<void>
  /** Keeps connections but transmits nothing, like a network without a route. */
  freeze(): void
  /** Accepts connections and transmits data again. */
  restore(): Promise<void>
  close(): Promise<void>
}

export async function cuttableProxy(targetUrl: string): Promise<CuttableProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let frozen = false
  const accept = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', (data) => frozen || other.write(data))
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }
  const listen = async (port: number): Promise<Server> => {
    const server = createServer(accept).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  const resetAll = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  let server: Server | null = await listen(0)
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The system assigned no port.')
  const url = new URL(targetUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  const cut = async () => {
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    server = null
    resetAll()
    await closed
  }
  return {
    url: url.href,
    cut,
    freeze: () => {
      frozen = true
    },
    restore: async () => {
      // Data that arrived while frozen is lost, so the old connections are unusable.
      if (frozen) resetAll()
      frozen = false
      server ??= await listen(address.port)
    },
    close: cut,
  }
}
