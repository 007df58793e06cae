// Compares the service's clock with ours, using the Date header that any HTTP answer may have (RFC 9110, 6.6.1). The
// service's documentation does not mention the header, and a proxy may set it, so it serves only to detect a clock that
// is off by minutes.

import type { Clock } from '#src/platform/time/clock.ts'
import type { Http } from './http-client.ts'

export interface ObservedClockOffset {
  /** The wrapped client. */
  http: Http
  /**
   * The service's clock minus ours, in milliseconds, accurate to about a second plus the duration of a request; null
   * until an answer with the header has arrived.
   */
  offsetMs(): number | null
}

/** Wraps `http` to observe its answers. */
export function observeClockOffset(http: Http, clock: Clock): ObservedClockOffset {
  let offset: number | null = null
  return {
    offsetMs: () => offset,
    http: {
      ...http,
      async exchange(request) {
        const before = clock.now().getTime()
        const exchange = await http.exchange(request)
        if (exchange.kind === 'answer') {
          const serviceMs = readDate(exchange.headers.date)
          // The header has whole seconds, rounded down, so half a second is added.
          if (serviceMs !== null) offset = serviceMs + 500 - (before + clock.now().getTime()) / 2
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
