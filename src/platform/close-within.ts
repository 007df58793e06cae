// Closes an HTTP server that may have requests under way: one that never ends must not keep the worker from stopping.

import type { Server } from 'node:http'
import type { Clock } from './time/clock.ts'

/**
 * Waits for the requests under way, and closes their connections when the time is up.
 * @param server whose `close` accepts no new request, and waits for the others
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
