// Sends an invitation: once through its gate, and a second time only after a 401, which was not applied.

import type { Clock } from '#src/time/clock.ts'
import type { Endpoint } from './endpoint.ts'
import type { HttpRequest } from './exchange.ts'
import { invitationConnections } from './http.ts'
import type { PreparedInvitation } from './invitation-body.ts'
import { openLane } from './lane.ts'
import { classifyInvitation, type Outcome, withoutAnswer } from './outcome.ts'
import type { Tokens } from './tokens.ts'

const path = '/api/certification/v1/quickIssuance/recipients/data/upload'

export interface InviteOptions {
  /** Milliseconds for the whole exchange, counted from the moment of sending. */
  deadlineMs: number
  /** Milliseconds of a pause of the endpoint that the call can wait for; a longer one makes it not_sent, with `retryAfterMs`. Default: for ever. */
  mayWaitMs?: number
  /** Asked in the tick of sending; false makes the outcome not_sent with code DOOR_STALE. */
  mayStillSend?: () => boolean
}

/**
 * Never rejects: whatever goes wrong before the request is written is not_sent, with the error's name as code
 * (KeysRefusedError, ServiceUnreachableError, LimitsClosedError …), and whatever goes wrong after it is unknown.
 */
export type Invite = (prepared: PreparedInvitation, options: InviteOptions) => Promise<Outcome>

export function openInvitations(endpoint: Endpoint, tokens: Tokens, clock: Clock): Invite {
  const inLane = openLane(invitationConnections)

  async function attempt(prepared: PreparedInvitation, options: InviteOptions) {
    const { mayWaitMs = Number.POSITIVE_INFINITY } = options
    let token = ''
    const build = (): HttpRequest | null => {
      // The wait at the gate may have been long: the token is looked at again in the tick of sending.
      const ready = tokens.ready()
      if (!ready) return null
      token = ready
      const { deadlineMs, mayStillSend: maySend } = options
      return {
        lane: 'invitation',
        method: 'POST',
        path,
        token,
        body: prepared.body,
        deadlineMs,
        ...(maySend && { maySend }),
      }
    }
    try {
      for (let turn = 0; turn < 3; turn++) {
        await tokens.fresh()
        const exchange = await endpoint.call(build, { mayWaitMs })
        if (exchange) return { outcome: classifyInvitation(exchange, clock.now()), token }
      }
      return { outcome: withoutAnswer('not_sent', 'TOKEN_AGED_AT_GATE'), token }
    } catch (error) {
      // A token in hand means that the request was built; the wire does not reject, but if it did, it might have sent.
      const { name: code = 'Error', retryAfterMs = null } = error as { name?: string; retryAfterMs?: number }
      return { outcome: { ...withoutAnswer(token ? 'unknown' : 'not_sent', code), retryAfterMs }, token }
    }
  }

  return (prepared, options) =>
    inLane(async () => {
      const first = await attempt(prepared, options)
      if (!first.outcome.authRefused) return first.outcome
      try {
        await tokens.renew(first.token)
      } catch {
        return first.outcome
      }
      return (await attempt(prepared, options)).outcome
    })
}
