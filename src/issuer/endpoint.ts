// Sends every call to one named endpoint through its gate, counts it, and notifies the gate of the result. Also finds
// the largest page size that the endpoint accepts.

import type { Gate } from '#src/platform/limits/gate.ts'
import { parseRetryAfter } from '#src/platform/retry-after.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { ServiceRefusedError } from './classify-read.ts'
import type { Exchange, HttpRequest } from './http/exchange.ts'
import type { Http } from './http/http-client.ts'
import { type RouteName, routes } from './routes.ts'

/** Each name has one gate and one call count. */
export type EndpointName = Exclude<RouteName, 'refresh-token'>

export const endpointNames = Object.keys(routes).filter((name): name is EndpointName => name !== 'refresh-token')

export type Endpoint = ReturnType<typeof openEndpoint>

/**
 * The result of any exchange, for metrics. What it means for an invitation is decided in src/issuer/sending/outcome.ts.
 */
export const callResults = [
  'ok',
  'redirect',
  'unauthorised',
  'refused',
  'throttled',
  'server_error',
  'no_answer',
  'not_sent',
] as const
export type CallResult = (typeof callResults)[number]

/** Called after each exchange with its duration in milliseconds. */
export type OnCall = (endpoint: EndpointName, result: CallResult, ms: number) => void

/**
 * Called with the page size that an endpoint accepts after it refused a larger one; null if it accepts no explicit
 * size.
 */
export type OnSmallerPages = (endpoint: EndpointName, size: number | null) => void

// A longer Retry-After is treated as a mistake, because one header must not stop a worker for days.
const maxRetryAfterMs = 3_600_000

/** Optional callbacks for metrics and the log. */
export interface CallObservers {
  onCall?: OnCall | undefined
  onSmallerPages?: OnSmallerPages | undefined
}

export function openEndpoint(
  name: EndpointName,
  gate: Gate,
  http: Http,
  clock: Clock,
  { onCall, onSmallerPages }: CallObservers = {},
) {
  let calls = 0
  return {
    name,
    /**
     * Waits for the gate, then builds and sends the request in the same tick. If `build` returns null, nothing is sent
     * and the result is null. Rejects only if the gate is closed, if it is paused for longer than `mayWaitMs`, or if
     * `build` throws.
     */
    async call(build: () => HttpRequest | null, options?: { mayWaitMs?: number }): Promise<Exchange | null> {
      return gate.pass(async (passage) => {
        const request = build()
        if (!request) return null
        calls += 1
        const sentMs = clock.monotonicMs()
        const exchange = await http.exchange(request)
        const result = resultOf(exchange)
        onCall?.(name, result, clock.monotonicMs() - sentMs)
        if (result === 'ok') passage.noteAccepted()
        if (result === 'throttled') gate.pause(namedPauseMs(exchange, clock.now()), { sentMs })
        return exchange
      }, options)
    },
    /** Returns the number of HTTP requests made so far. */
    calls: () => calls,
    /** For a list: its page size limit. */
    pageSize: openPageSize(clock, (size) => onSmallerPages?.(name, size)),
  }
}

/** Returns null if the answer specifies no time. `Retry-After: 0` is meaningless after "too many requests". */
function namedPauseMs(exchange: Exchange, now: Date): number | null {
  const ms = exchange.kind === 'answer' ? parseRetryAfter(exchange.headers['retry-after'], now) : null
  return ms ? Math.min(ms, maxRetryAfterMs) : null
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

/** The documented default page size, which the service must accept. */
const minSize = 10
/** The statuses of a refusal: the two documented ones, and one that is common for an unacceptable value. */
const refusalStatuses: readonly number[] = [400, 413, 422]
/**
 * How long a learned limit is used. After that a larger size is tried, because the service may have raised it. The
 * limit is kept in memory only: after a restart it is learned again with a few refused calls, which change nothing in
 * the service.
 */
const learnedForMs = 24 * 3_600_000
/** How long an accepted size counts as accepted. After that the service may have lowered its limit. */
const acceptedForMs = 5 * 60_000

/**
 * Finds the largest page size that an endpoint accepts. The maximum is not documented: a refused size is halved until
 * one is accepted.
 * @param onSmaller called when a smaller size than wanted is accepted for the first time
 */
function openPageSize(clock: Clock, onSmaller: (size: number | null) => void) {
  let learned: { size: number | null; atMs: number } | null = null
  let accepted = { size: 0, atMs: 0 }
  const isRecent = (atMs: number, forMs: number) => clock.monotonicMs() - atMs < forMs
  const startSize = (wanted: number) => {
    if (!learned || !isRecent(learned.atMs, learnedForMs)) return wanted
    return learned.size === null ? null : Math.min(wanted, learned.size)
  }
  // A size that this endpoint accepted recently is not the cause of a refusal now.
  const wasAccepted = (size: number) => size <= accepted.size && isRecent(accepted.atMs, acceptedForMs)
  return {
    /**
     * Reads a first page of `wanted` records, or of as many as the service accepts. `acceptedSize` is the size of that
     * page, or null if the service accepts no explicit size.
     * @throws any error that `read` throws; a refusal only if the size cannot be its cause, or if the service refuses
     * the smallest size as well
     */
    async readFirstPage<Found>(
      wanted: number,
      read: (size: number | null) => Promise<Found>,
    ): Promise<{ found: Found; acceptedSize: number | null }> {
      const start = startSize(wanted)
      for (let size = start; ; size = nextSmaller(size)) {
        try {
          const found = await read(size)
          const atMs = clock.monotonicMs()
          if (size !== null && !(wasAccepted(size) && size < accepted.size)) accepted = { size, atMs }
          if (size !== start) {
            learned = { size, atMs }
            onSmaller(size)
          }
          return { found, acceptedSize: size }
        } catch (error) {
          if (size === null || !isRefusal(error) || wasAccepted(size)) throw error
        }
      }
    },
  }
}

function nextSmaller(size: number | null): number | null {
  return size === null || size <= minSize ? null : Math.max(minSize, Math.floor(size / 2))
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceRefusedError && refusalStatuses.includes(error.status)
}
