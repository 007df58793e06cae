// Puts a Redis at a distance: a TCP proxy in a process of its own, which delivers each piece so many milliseconds later.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Returns the address of the proxy, which ends with this process. @param delayMs each way */
export async function redisFarAway(redisUrl: string, delayMs: number): Promise<string> {
  const address = new URL(redisUrl)
  const proxy = fork(import.meta.filename, [address.hostname, address.port || '6379', String(delayMs)])
  const [port] = await once(proxy, 'message')
  address.host = `127.0.0.1:${port}`
  return String(address)
}

function deliverLate(from: Socket, to: Socket, delayMs: number): void {
  from.setNoDelay(true)
  // Timers of the same length fire in order, so the pieces stay in order.
  from.on('data', (piece) => setTimeout(() => to.write(piece), delayMs))
  from.on('close', () => setTimeout(() => to.destroy(), delayMs))
  from.on('error', () => {})
}

if (import.meta.main) {
  const [host = '', port, delayMs] = process.argv.slice(2)
  const server = createServer((client) => {
    const redis = connect(Number(port), host)
    deliverLate(client, redis, Number(delayMs))
    deliverLate(redis, client, Number(delayMs))
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object') process.send?.(address?.port)
  })
  process.on('disconnect', () => process.exit(0))
}
