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

/** What became of an exchange, whatever it was for. What it means for an invitation is judged in outcome.ts. */
export type CallResult =
  | 'ok'
  | 'redirect'
  | 'unauthorised'
  | 'refused'
  | 'throttled'
  | 'server_error'
  | 'no_answer'
  | 'not_sent'

export const callResults: readonly CallResult[] = [
  'ok',
  'redirect',
  'unauthorised',
  'refused',
  'throttled',
  'server_error',
  'no_answer',
  'not_sent',
]

/** Told of each exchange as it ends, with its milliseconds. */
export type OnCall = (endpoint: EndpointName, result: CallResult, ms: number) => void

export function openEndpoint(
  name: EndpointName,
  gate: Gate,
  http: Http,
  clock: Clock,
  onCall: OnCall = () => {},
): Endpoint {
  const throttle = openThrottle(gate, clock)
  let calls = 0
  return {
    name,
    async call(build, options) {
      const exchange = await gate.pass(async () => {
        const request = build()
        if (!request) return null
        calls += 1
        const began = clock.monotonicMs()
        const ended = await http.exchange(request)
        onCall(name, resultOf(ended), clock.monotonicMs() - began)
        return ended
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

function resultOf(exchange: Exchange): CallResult {
  if (exchange.kind === 'failed') return exchange.sent ? 'no_answer' : 'not_sent'
  const { status } = exchange
  if (status === 401) return 'unauthorised'
  if (status === 429) return 'throttled'
  if (status >= 500) return 'server_error'
  if (status >= 400) return 'refused'
  return status >= 300 ? 'redirect' : 'ok'
}
