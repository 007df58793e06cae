// Reads from the service: safe to repeat, so it is repeated a few times before giving up.

import { nextDelay } from '#src/retry/backoff.ts'
import type { Clock } from '#src/time/clock.ts'
import type { Endpoint } from './endpoint.ts'
import type { HttpRequest } from './exchange.ts'
import { judgeEnvelope, judgeRead, type ReadBody } from './read-verdict.ts'
import { ServiceRefusedError } from './service-refused-error.ts'
import { ServiceUnreachableError } from './service-unreachable-error.ts'
import type { Tokens } from './tokens.ts'
import type { Envelope } from './wire.ts'

const tries = 5
const curve = { baseMs: 500, capMs: 15_000, jitter: 0.5 }
const usualDeadlineMs = 60_000

export type ReadRequest = Pick<HttpRequest, 'method' | 'path' | 'body' | 'wants' | 'sink'> & {
  /** Milliseconds for one try. Default 60 000. */
  deadlineMs?: number
}

/**
 * One read: gives the envelope of a good answer. Throws ServiceRefusedError (4xx, redirect), ServiceUnreachableError
 * (tries used up), WireError (not JSON, no envelope), KeysRefusedError, or the gate's error when it is closed.
 */
export type Reader = (endpoint: Endpoint, request: ReadRequest) => Promise<Envelope>

export function openReader(ask: AskAgain): Reader {
  return (endpoint, request) => ask(endpoint, request, judgeEnvelope)
}

/** The same for an answer of any form: `readBody` says what it is. */
export type AskAgain = <Found>(endpoint: Endpoint, request: ReadRequest, readBody: ReadBody<Found>) => Promise<Found>

export function openAsking(tokens: Tokens, clock: Clock, random: () => number): AskAgain {
  return async (endpoint, request, readBody) => {
    let renewed = false
    for (let attempt = 1; ; attempt++) {
      const token = await tokens.bearer()
      const exchange = await endpoint.call(() => ({ deadlineMs: usualDeadlineMs, ...request, lane: 'read', token }))
      const verdict = judgeRead(exchange, endpoint.name, readBody)
      if (verdict.kind === 'done') return verdict.found
      if (verdict.kind === 'token-refused') {
        if (renewed) throw new ServiceRefusedError(401, endpoint.name, verdict.words)
        renewed = true
        await tokens.renew(token)
        continue
      }
      if (verdict.kind === 'refused') throw verdict.error
      if (attempt >= tries) throw verdict.error ?? new ServiceUnreachableError(endpoint.name, verdict.seen, attempt)
      // A 429 concerns the whole endpoint and its gate is paused already; any other fault concerns this one read.
      if (!verdict.throttled) await clock.sleep(nextDelay(attempt, curve, random))
    }
  }
}
