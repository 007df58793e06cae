// What time it is at the service: the Date header that HTTP lets every answer carry (RFC 9110, 6.6.1). The service's own document does
// not speak of it, and a proxy may have set it, so it is good for finding a clock that is off by minutes.

import type { Clock } from '#src/time/clock.ts'
import type { Http } from './http.ts'

export interface WatchedDates {
  /** The same wire. */
  http: Http
  /** The other clock minus ours, in milliseconds, right to about a second and the time an answer takes; null until an answer told. */
  offsetMs(): number | null
}

/** Other origins than the service's tell nothing of it. */
export function watchDates(wire: Http, clock: Clock): WatchedDates {
  let offset: number | null = null
  return {
    offsetMs: () => offset,
    http: {
      ...wire,
      async exchange(request) {
        const before = clock.now().getTime()
        const exchange = await wire.exchange(request)
        if (exchange.kind === 'answer' && request.origin === undefined) {
          const told = readDate(exchange.headers.date)
          // The header tells whole seconds, cut off.
          if (told !== null) offset = told + 500 - (before + clock.now().getTime()) / 2
        }
        return exchange
      },
    },
  }
}

function readDate(text: string | undefined): number | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : ms
}
