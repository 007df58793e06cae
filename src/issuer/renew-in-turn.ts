// A new pair of tokens, got by the one who has the turn, and put where all find it.

import type { Clock } from '#src/time/clock.ts'
import type { TokenCalls } from './token-calls.ts'
import type { RenewalTurn, StoredToken } from './token-store.ts'

/** By the refresh token, which is used once whatever comes of it, else by key and secret. Throws what TokenCalls throws; the turn is then given back. */
export async function renewInTurn(turn: RenewalTurn, calls: TokenCalls, clock: Clock): Promise<StoredToken> {
  const done = new AbortController()
  if (turn.keepUpMs !== null) void keepUp(turn, turn.keepUpMs, clock, done.signal)
  try {
    const { refresh, made } = turn
    const pair = (refresh === null ? null : await calls.byRefresh(refresh)) ?? (await calls.byKeys())
    // When another process took over meanwhile its token stays in the store, and this one is good all the same.
    await turn.put(pair)
    return { made, access: pair.access, bornMs: pair.bornMs }
  } catch (error) {
    await turn.giveUp()
    throw error
  } finally {
    done.abort()
  }
}

// A call may take longer than a turn holds by itself; a process that died or froze does not come here, and loses it.
async function keepUp(turn: RenewalTurn, everyMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await clock.sleep(everyMs, signal).then(
      () => true,
      () => false,
    )
    if (!due) return
    await turn.keepUp()
  }
}
