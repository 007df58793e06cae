// Sends a call that changes something: once through its gate, and a second time only after a 401, which was not applied.

import type { Clock } from '#src/time/clock.ts'
import type { Endpoint } from './endpoint.ts'
import type { Exchange, HttpRequest } from './exchange.ts'
import { changingConnections } from './http.ts'
import { openLane } from './lane.ts'
import { classifyChange, type Outcome, withoutAnswer } from './outcome.ts'
import type { Tokens } from './tokens.ts'

export interface SendOptions {
  /** Milliseconds for the whole exchange, counted from the moment of sending. */
  deadlineMs: number
  /** Milliseconds of a pause of the endpoint that the call can wait for; a longer one makes it not_sent, with `retryAfterMs`. Default: for ever. */
  mayWaitMs?: number
  /** Asked in the tick of sending; false makes the outcome not_sent with code DOOR_STALE. */
  mayStillSend?: () => boolean
}

export type Change = Pick<HttpRequest, 'method' | 'path' | 'body'>

/** Judges the exchange; classifyChange unless the answer says more than an envelope does. */
export type Classify = (exchange: Exchange, now: Date) => Outcome

/**
 * Never rejects: whatever goes wrong before the request is written is not_sent, with the error's name as code
 * (KeysRefusedError, ServiceUnreachableError, LimitsClosedError …), and whatever goes wrong after it is unknown.
 */
export type Send = (endpoint: Endpoint, change: Change, options: SendOptions, classify?: Classify) => Promise<Outcome>

/** `lane` is the set of connections to send on; at most as many calls are under way in it as it has of them. */
export function openSending(lane: 'invitation' | 'change', tokens: Tokens, clock: Clock): Send {
  const inLane = openLane(changingConnections)

  async function attempt(endpoint: Endpoint, change: Change, options: SendOptions, classify: Classify) {
    const { mayWaitMs = Number.POSITIVE_INFINITY, deadlineMs, mayStillSend: maySend } = options
    let token = ''
    const build = (): HttpRequest | null => {
      // The wait at the gate may have been long: the token is looked at again in the tick of sending.
      const ready = tokens.ready()
      if (!ready) return null
      token = ready
      return { ...change, lane, token, deadlineMs, ...(maySend && { maySend }) }
    }
    try {
      for (let turn = 0; turn < 3; turn++) {
        await tokens.fresh()
        const exchange = await endpoint.call(build, { mayWaitMs })
        if (exchange) return { outcome: classify(exchange, clock.now()), token }
      }
      return { outcome: withoutAnswer('not_sent', 'TOKEN_AGED_AT_GATE'), token }
    } catch (error) {
      // A token in hand means that the request was built; the wire does not reject, but if it did, it might have sent.
      const { name: code = 'Error', retryAfterMs = null } = error as { name?: string; retryAfterMs?: number }
      return { outcome: { ...withoutAnswer(token ? 'unknown' : 'not_sent', code), retryAfterMs }, token }
    }
  }

  return (endpoint, change, options, classify = classifyChange) =>
    inLane(async () => {
      const first = await attempt(endpoint, change, options, classify)
      if (!first.outcome.authRefused) return first.outcome
      try {
        await tokens.renew(first.token)
      } catch {
        return first.outcome
      }
      return (await attempt(endpoint, change, options, classify)).outcome
    })
}
