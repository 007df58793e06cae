// A TCP proxy in front of a store that a test can cut or freeze, since the server itself is shared with other tests.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface CuttableProxy {
  /** The target's URL with the proxy's address. */
  url: string
  /** Resets every connection and refuses new ones, as a server that ended. */
  cut(): Promise<void>
  /** Keeps connections and lets nothing through, as a network that lost its route. */
  freeze(): void
  /** Lets everything through again. */
  mend(): Promise<void>
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
  if (typeof address !== 'object' || !address) throw new Error('The system gave no port.')
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
    mend: async () => {
      // What was swallowed is gone, so the old connections are of no use.
      if (frozen) resetAll()
      frozen = false
      server ??= await listen(address.port)
    },
    close: cut,
  }
}
