// A named endpoint: every call of it passes its gate, is counted, and its 429s pause that gate.

import { parseRetryAfter } from '#src/retry/retry-after.ts'
import type { Clock } from '#src/time/clock.ts'
import type { Exchange, HttpRequest } from './exchange.ts'
import type { Gate } from './gate.ts'
import type { Http } from './http.ts'
import { type RouteName, routes } from './routes.ts'
import { openThrottle } from './throttle.ts'

/** A name is one gate and one count. `certificate-link` is no endpoint of the service's interface, but it is asked for all the same. */
export type EndpointName = Exclude<RouteName, 'refresh-token'> | 'certificate-link'

export const endpointNames: readonly EndpointName[] = [
  ...Object.keys(routes).filter((name): name is Exclude<RouteName, 'refresh-token'> => name !== 'refresh-token'),
  'certificate-link',
]

export interface Endpoint {
  name: EndpointName
  /**
   * Passes the gate, then builds and sends the request in that same tick. A build that gives null sends nothing and
   * null comes back. Rejects only when the gate is closed, or shut for longer than `mayWaitMs`, or with what `build` throws.
   */
  call(build: () => HttpRequest | null, options?: { mayWaitMs?: number }): Promise<Exchange | null>
  /** HTTP requests handed to the wire so far. */
  calls(): number
}

export function openEndpoint(name: EndpointName, gate: Gate, http: Http, clock: Clock): Endpoint {
  const throttle = openThrottle(gate, clock)
  let calls = 0
  return {
    name,
    async call(build, options) {
      const exchange = await gate.pass(async () => {
        const request = build()
        if (!request) return null
        calls += 1
        return http.exchange(request)
      }, options)
      if (exchange?.kind === 'answer') {
        if (exchange.status === 429) throttle.refused(parseRetryAfter(exchange.headers['retry-after'], clock.now()))
        else throttle.answered()
      }
      return exchange
    },
    calls: () => calls,
  }
}
