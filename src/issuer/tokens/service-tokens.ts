// Provides the access token of this process: a copy of the one in the store, renewed early by one call for all waiting
// callers.

import { randomUUID } from 'node:crypto'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { openLocalTokenStore } from './local-token-store.ts'
import type { TokenCalls } from './token-calls.ts'
import type { RenewalLease, RenewalTurn, StoredToken, TokenStore } from './token-store.ts'

// According to the service's documentation, 30 minutes from creation.
const lifetimeMs = 30 * 60_000
// A token is renewed when less than this remains, so that no 401 occurs in the middle of a batch.
const renewBeforeMs = 5 * 60_000
// A token that cannot be renewed is still used until only this much remains.
const minRemainingMs = 30_000
// How long a token with less than `renewBeforeMs` left is accepted before the store is queried again.
const toleranceMs = 2_000
// How long to wait for an unavailable store. By then, a lost connection has recovered or will take much longer.
const maxStoreWaitMs = 5_000
// How long to wait for another process to renew: one and a half times the deadline of a token call. A process that
// takes longer is stuck, and the others must not wait for it.
const maxRenewalWaitMs = 45_000
const maxPauseMs = 250

export interface ServiceTokens {
  /** Returns a token for a read, renewed first if little time is left. Throws the errors of TokenCalls. */
  bearer(): Promise<string>
  /**
   * Returns a token with at least 5 minutes left, or at least 30 s if another process is renewing it or the store is
   * unavailable. Throws the errors of TokenCalls.
   */
  fresh(): Promise<string>
  /** Returns the token that `fresh` would return immediately; null if `fresh` would have to wait. */
  ready(): string | null
  /** Replaces `refusedToken` after a 401, unless it has already been replaced. Throws the errors of TokenCalls. */
  renew(refusedToken: string): Promise<string>
}

/**
 * `store` decides which process renews the token; within this process, all callers share one renewal. By default, the
 * store is local to this process.
 */
export function openServiceTokens(
  calls: TokenCalls,
  clock: Clock,
  store: TokenStore = openLocalTokenStore(),
): ServiceTokens {
  let heldToken: StoredToken | null = null
  let renewal: Promise<string> | null = null
  let tolerateUntilMs = Number.NEGATIVE_INFINITY

  const remainingMs = () => (heldToken ? heldToken.bornMs + lifetimeMs - clock.monotonicMs() : 0)
  const requiredMs = () => (clock.monotonicMs() < tolerateUntilMs ? minRemainingMs : renewBeforeMs)
  const ready = () => (heldToken && remainingMs() >= requiredMs() ? heldToken.access : null)

  function hold(token: StoredToken): string {
    heldToken = token
    tolerateUntilMs = Number.NEGATIVE_INFINITY
    return token.access
  }

  async function obtain(): Promise<string> {
    const startedMs = clock.monotonicMs()
    let knownTurnId = heldToken?.turnId ?? null
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const taken = await store.take(knownTurnId)
      if (taken.kind === 'turn') return hold(await renewInTurn(taken.turn, calls, clock))
      if (taken.kind === 'token') {
        knownTurnId = taken.token.turnId
        if (!heldToken || taken.token.bornMs > heldToken.bornMs) hold(taken.token)
        const access = ready()
        if (access) return access
        continue
      }
      if (heldToken && remainingMs() >= minRemainingMs) {
        tolerateUntilMs = clock.monotonicMs() + toleranceMs
        return heldToken.access
      }
      const waitedMs = clock.monotonicMs() - startedMs
      if (waitedMs >= (taken.kind === 'unavailable' ? maxStoreWaitMs : maxRenewalWaitMs))
        return hold(await signInAlone(knownTurnId))
      await clock.sleep(pauseMs)
    }
  }

  /**
   * Signs in without a turn. An account may have several tokens at the same time, and no refresh token is used, so this
   * costs nothing but one call through the gate.
   */
  async function signInAlone(knownTurnId: string | null): Promise<StoredToken> {
    const pair = await calls.byKeys()
    const ownToken = { turnId: randomUUID(), access: pair.access, bornMs: pair.bornMs }
    // If the store is available again and empty, the other processes can use this token too.
    const taken = await store.take(knownTurnId)
    if (taken.kind !== 'turn') return ownToken
    await taken.turn.put(pair)
    return { ...ownToken, turnId: taken.turn.turnId }
  }

  function renewOnce(): Promise<string> {
    renewal ??= obtain().finally(() => {
      renewal = null
    })
    return renewal
  }

  const fresh = async () => ready() ?? renewOnce()

  return {
    ready,
    fresh,
    async bearer() {
      try {
        return await fresh()
      } catch (error) {
        if (error instanceof ServiceUnreachableError && heldToken && remainingMs() >= minRemainingMs)
          return heldToken.access
        throw error
      }
    },
    async renew(refusedToken) {
      if (heldToken?.access !== refusedToken) return fresh()
      // The token is treated as expired, whatever its age; the refresh token may still be valid.
      heldToken = { ...heldToken, bornMs: Number.NEGATIVE_INFINITY }
      return renewOnce()
    },
  }
}

/**
 * Obtains a new pair of tokens from the service while holding the renewal turn, and stores it for all processes. Uses
 * the refresh token, which is then spent regardless of the result. Without one, or if it is refused, uses key and
 * secret. If obtaining the tokens fails, ends the turn and throws the errors of TokenCalls.
 */
export async function renewInTurn(turn: RenewalTurn, calls: TokenCalls, clock: Clock): Promise<StoredToken> {
  const done = new AbortController()
  if (turn.lease) void extendWhileRunning(turn.lease, clock, done.signal)
  try {
    const { refresh, turnId } = turn
    const pair = (refresh === null ? null : await calls.byRefresh(refresh)) ?? (await calls.byKeys())
    // If another process has taken over in the meantime, its token stays in the store. This token is still valid.
    await turn.put(pair)
    return { turnId, access: pair.access, bornMs: pair.bornMs }
  } catch (error) {
    await turn.giveUp()
    throw error
  } finally {
    done.abort()
  }
}

// Extends the lease until `signal` aborts, because a call may take longer than the lease. A process that has crashed or
// hangs stops extending it, and loses the turn.
async function extendWhileRunning(lease: RenewalLease, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await clock.sleep(lease.extendAfterMs, signal).then(
      () => true,
      () => false,
    )
    if (!due) return
    await lease.extend()
  }
}
