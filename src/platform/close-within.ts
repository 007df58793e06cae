// Closes an HTTP server within a time limit, so that a request that never ends cannot keep the worker from stopping.

import type { Server } from 'node:http'
import type { Clock } from './time/clock.ts'

/**
 * Waits for the requests in progress, and closes their connections when the time is up.
 * @param server the server that `close` stops: `close` accepts no new requests and waits for those in progress
 */
export async function closeWithin(
  ms: number,
  clock: Clock,
  { server, close }: { server: Server; close: () => PromiseLike<unknown> },
): Promise<void> {
  const closed = new AbortController()
  clock.sleep(ms, closed.signal).then(
    () => server.closeAllConnections(),
    () => {},
  )
  try {
    await close()
  } finally {
    closed.abort()
  }
}
