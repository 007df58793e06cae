// Ends requests that take too long to arrive, so that nobody occupies the connections. The server's own limit is for
// lists; this one is for everything else.

import type { IncomingMessage } from 'node:http'
import type { Clock } from '#src/platform/time/clock.ts'

export interface SlowRequests {
  watch(request: IncomingMessage): void
  /** The request may take as long as it needs. */
  allow(request: IncomingMessage): void
}

export function openSlowRequests(clock: Clock, ms: number): SlowRequests {
  const watched = new WeakMap<IncomingMessage, AbortController>()
  return {
    watch(request) {
      const over = new AbortController()
      watched.set(request, over)
      request.once('close', () => over.abort())
      clock.sleep(ms, over.signal).then(
        () => request.complete || request.destroy(),
        () => {},
      )
    },
    allow: (request) => watched.get(request)?.abort(),
  }
}
