// The access token: one for this client, renewed ahead of time by one call for everybody who waits.

import type { Clock } from '#src/time/clock.ts'
import { ServiceUnreachableError } from './service-unreachable-error.ts'
import type { TokenCalls, TokenPair } from './token-calls.ts'

// 30 minutes from creation, by the service's documentation.
const lifeMs = 30 * 60_000
// Renewed when less than this remains, so that no 401 comes in the middle of a batch.
const aheadMs = 5 * 60_000
// A read may still use a token with this much left when the renewal fails.
const leastMs = 30_000

export interface Tokens {
  /** A token for a read, renewed first when little of its life is left. Throws what TokenCalls throws. */
  bearer(): Promise<string>
  /** A token with at least 5 minutes left. Throws what TokenCalls throws. */
  fresh(): Promise<string>
  /** The token if it has at least 5 minutes left at this moment, else null. Never waits. */
  ready(): string | null
  /** After a 401: replaces `bad`, unless somebody has done so already. Throws what TokenCalls throws. */
  renew(bad: string): Promise<string>
}

/** Sharing one token between processes would go behind `calls`; within a process the single flight is here. */
export function openTokens(calls: TokenCalls, clock: Clock): Tokens {
  let held: TokenPair | null = null
  let flight: Promise<string> | null = null

  const remainingMs = () => (held ? held.bornMs + lifeMs - clock.monotonicMs() : 0)
  const ready = () => (held && remainingMs() >= aheadMs ? held.access : null)

  async function fetchPair(): Promise<string> {
    const refresh = held?.refresh
    // Forgotten before use: it rotates, and a second use of a spent one could look like theft to the service.
    if (held) held = { ...held, refresh: null }
    const pair = (refresh ? await calls.byRefresh(refresh) : null) ?? (await calls.byKeys())
    held = pair
    return pair.access
  }

  function renewOnce(): Promise<string> {
    flight ??= fetchPair().finally(() => {
      flight = null
    })
    return flight
  }

  const fresh = async () => ready() ?? renewOnce()

  return {
    ready,
    fresh,
    async bearer() {
      try {
        return await fresh()
      } catch (error) {
        if (error instanceof ServiceUnreachableError && held && remainingMs() >= leastMs) return held.access
        throw error
      }
    },
    async renew(bad) {
      if (held?.access !== bad) return fresh()
      // Its time is up whatever the clock says; the refresh token may still be good.
      held = { ...held, bornMs: Number.NEGATIVE_INFINITY }
      return renewOnce()
    },
  }
}
