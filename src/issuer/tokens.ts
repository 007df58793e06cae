// The access token as this process holds it: a copy of the one in the store, renewed ahead of time by one call for everybody who waits.

import { randomUUID } from 'node:crypto'
import type { Clock } from '#src/time/clock.ts'
import { openLocalTokenStore } from './local-token-store.ts'
import { renewInTurn } from './renew-in-turn.ts'
import { ServiceUnreachableError } from './service-unreachable-error.ts'
import type { TokenCalls } from './token-calls.ts'
import type { StoredToken, TokenStore } from './token-store.ts'

// 30 minutes from creation, by the service's documentation.
const lifeMs = 30 * 60_000
// Renewed when less than this remains, so that no 401 comes in the middle of a batch.
const aheadMs = 5 * 60_000
// Still used with this much left when it cannot be renewed just now.
const leastMs = 30_000
// How long a token with less than `aheadMs` will do before the store is asked once more.
const forbearanceMs = 2_000
// A lost connection to the store is back by then, or will not be soon.
const awayMs = 5_000
// One token call with its deadline, and half as long again. Whoever renews for longer is stuck where others need not be.
const patienceMs = 45_000
const longestPauseMs = 250

export interface Tokens {
  /** A token for a read, renewed first when little of its life is left. Throws what TokenCalls throws. */
  bearer(): Promise<string>
  /**
   * A token with at least 5 minutes left; with at least 30 s where another process is renewing it or the store is away. Throws what
   * TokenCalls throws.
   */
  fresh(): Promise<string>
  /** The token if it is one that `fresh` would give at this moment, else null. Never waits. */
  ready(): string | null
  /** After a 401: replaces `bad`, unless somebody has done so already. Throws what TokenCalls throws. */
  renew(bad: string): Promise<string>
}

/** Between processes `store` decides who renews; within this one there is one flight for all. Default: a store of this process alone. */
export function openTokens(calls: TokenCalls, clock: Clock, store: TokenStore = openLocalTokenStore()): Tokens {
  let held: StoredToken | null = null
  let flight: Promise<string> | null = null
  let forbearUntilMs = Number.NEGATIVE_INFINITY

  const remainingMs = () => (held ? held.bornMs + lifeMs - clock.monotonicMs() : 0)
  const enoughMs = () => (clock.monotonicMs() < forbearUntilMs ? leastMs : aheadMs)
  const ready = () => (held && remainingMs() >= enoughMs() ? held.access : null)

  function hold(token: StoredToken): string {
    held = token
    forbearUntilMs = Number.NEGATIVE_INFINITY
    return token.access
  }

  async function obtain(): Promise<string> {
    const beganMs = clock.monotonicMs()
    let known = held?.made ?? null
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      const taken = await store.take(known)
      if (taken.kind === 'turn') return hold(await renewInTurn(taken.turn, calls, clock))
      if (taken.kind === 'token') {
        known = taken.token.made
        if (!held || taken.token.bornMs > held.bornMs) hold(taken.token)
        const access = ready()
        if (access) return access
        continue
      }
      if (held && remainingMs() >= leastMs) {
        forbearUntilMs = clock.monotonicMs() + forbearanceMs
        return held.access
      }
      const waitedMs = clock.monotonicMs() - beganMs
      if (waitedMs >= (taken.kind === 'away' ? awayMs : patienceMs)) return hold(await signInAlone(known))
      await clock.sleep(pauseMs)
    }
  }

  /** Several tokens of one key live side by side, and no refresh token is touched: this costs a call within the gate and nothing else. */
  async function signInAlone(known: string | null): Promise<StoredToken> {
    const pair = await calls.byKeys()
    const mine = { made: randomUUID(), access: pair.access, bornMs: pair.bornMs }
    // Where the store is back and empty-handed, the others shall have this one.
    const taken = await store.take(known)
    if (taken.kind !== 'turn') return mine
    await taken.turn.put(pair)
    return { ...mine, made: taken.turn.made }
  }

  function renewOnce(): Promise<string> {
    flight ??= obtain().finally(() => {
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
