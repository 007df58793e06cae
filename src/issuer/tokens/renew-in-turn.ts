// Obtains a new pair of tokens from the service while holding the renewal turn, and stores it for all processes.

import type { Clock } from '#src/platform/time/clock.ts'
import type { TokenCalls } from './token-calls.ts'
import type { RenewalLease, RenewalTurn, StoredToken } from './token-store.ts'

/**
 * Uses the refresh token, which is then spent whatever the result. Without one, or if it is refused, uses key and
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
