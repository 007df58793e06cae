// Reads from the service. Reads are safe to repeat, so each is attempted up to five times.

import { nextDelay } from '#src/platform/backoff.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { classifyRead, type ReadBody, readEnvelope, ServiceRefusedError } from './classify-read.ts'
import type { Endpoint } from './endpoint.ts'
import type { HttpRequest } from './http/exchange.ts'
import { ServiceUnreachableError } from './service-unreachable-error.ts'
import type { ServiceTokens } from './tokens/service-tokens.ts'
import type { Envelope } from './wire-shapes.ts'

const maxAttempts = 5
const backoff = { baseMs: 500, capMs: 15_000, jitter: 0.5 }
const defaultDeadlineMs = 60_000

export type ReadRequest = Pick<HttpRequest, 'method' | 'path' | 'body' | 'wants'> & {
  /** Milliseconds for each attempt. Default 60 000. */
  deadlineMs?: number
}

/**
 * Performs one read, with retries, and returns the envelope of a successful answer.
 * @throws ServiceRefusedError (4xx, redirect), ServiceUnreachableError (attempts exhausted), WireError (not JSON, no
 * envelope), KeysRefusedError, or the gate's error if the gate is closed
 */
export type ServiceReader = (endpoint: Endpoint, request: ReadRequest) => Promise<Envelope>

export function openReader(retryingRead: RetryingRead): ServiceReader {
  return (endpoint, request) => retryingRead(endpoint, request, readEnvelope)
}

/** Like ServiceReader, for an answer in any format: `readBody` parses it. */
export type RetryingRead = <Found>(
  endpoint: Endpoint,
  request: ReadRequest,
  readBody: ReadBody<Found>,
) => Promise<Found>

export function openRetryingRead(tokens: ServiceTokens, clock: Clock, random: () => number): RetryingRead {
  return async (endpoint, request, readBody) => {
    let renewed = false
    for (let attempt = 1; ; attempt++) {
      const token = await tokens.bearer()
      const exchange = await endpoint.call(() => ({ deadlineMs: defaultDeadlineMs, ...request, lane: 'read', token }))
      const result = classifyRead(exchange, endpoint.name, readBody)
      if (result.kind === 'done') return result.found
      if (result.kind === 'token-refused') {
        if (renewed) throw new ServiceRefusedError(401, endpoint.name, result.words)
        renewed = true
        await tokens.renew(token)
        continue
      }
      if (result.kind === 'refused') throw result.error
      if (attempt >= maxAttempts)
        throw result.error ?? new ServiceUnreachableError(endpoint.name, result.problem, attempt)
      // A 429 concerns the whole endpoint, whose gate is already paused; any other failure concerns only this read.
      if (!result.throttled) await clock.sleep(nextDelay(attempt, backoff, random))
    }
  }
}
