// Sends a call that changes something once, through its gate. Sends it a second time only after a 401, because a call
// that was answered with 401 was not applied.

import { limitConcurrency } from '#src/platform/limits/limit-concurrency.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Exchange, HttpRequest } from '../http/exchange.ts'
import { connectionsOf } from '../http/http-client.ts'
import type { ServiceTokens } from '../tokens/service-tokens.ts'
import { classifyChange, type Outcome, withoutAnswer } from './outcome.ts'

export interface SendOptions {
  /** Milliseconds for the whole exchange, counted from sending. */
  deadlineMs: number
  /**
   * How many milliseconds the call may wait for a paused endpoint. If the pause is longer, the outcome is not_sent,
   * with `retryAfterMs`. Default: no limit.
   */
  mayWaitMs?: number
  /**
   * Called in the same tick in which the request is written. If it returns false, nothing is sent, and the outcome is
   * not_sent with code CLAIM_EXPIRED.
   */
  mayStillSend?: () => boolean
}

export type Change = Pick<HttpRequest, 'method' | 'path' | 'body'>

/**
 * Classifies the exchange. The default is classifyChange; an endpoint whose answer says more than an envelope has its
 * own classifier.
 */
export type Classify = (exchange: Exchange, now: Date) => Outcome

/**
 * Never rejects: a failure before the request is written is not_sent, with the error's name as code (KeysRefusedError,
 * ServiceUnreachableError, LimitsClosedError …); a failure after that is unknown.
 */
export type SendChange = (
  endpoint: Endpoint,
  change: Change,
  options: SendOptions,
  classify?: Classify,
) => Promise<Outcome>

/** @param lane the pool of connections to use; at most as many calls run at the same time as it has connections */
export function openSending(lane: 'invitation' | 'change', tokens: ServiceTokens, clock: Clock): SendChange {
  const limited = limitConcurrency(connectionsOf[lane])

  async function attempt(endpoint: Endpoint, change: Change, options: SendOptions, classify: Classify) {
    const { mayWaitMs = Number.POSITIVE_INFINITY, deadlineMs, mayStillSend: maySend } = options
    let token = ''
    const build = (): HttpRequest | null => {
      // The wait at the gate may have been long, so the token is checked again in the tick in which it is sent.
      const ready = tokens.ready()
      if (!ready) return null
      token = ready
      return { ...change, lane, token, deadlineMs, ...(maySend && { maySend }) }
    }
    try {
      for (let tries = 0; tries < 3; tries++) {
        await tokens.fresh()
        const exchange = await endpoint.call(build, { mayWaitMs })
        if (exchange) return { outcome: classify(exchange, clock.now()), token }
      }
      return { outcome: withoutAnswer('not_sent', 'TOKEN_AGED_AT_GATE'), token }
    } catch (error) {
      // A non-empty token means that the request was built. The HTTP client never rejects, but if it did, the request
      // might have been sent.
      const { name: code = 'Error', retryAfterMs = null } = error as { name?: string; retryAfterMs?: number }
      return { outcome: { ...withoutAnswer(token ? 'unknown' : 'not_sent', code), retryAfterMs }, token }
    }
  }

  return (endpoint, change, options, classify = classifyChange) =>
    limited(async () => {
      const first = await attempt(endpoint, change, options, classify)
      if (first.outcome.class !== 'unauthorised') return first.outcome
      try {
        await tokens.renew(first.token)
      } catch {
        return first.outcome
      }
      return (await attempt(endpoint, change, options, classify)).outcome
    })
}
