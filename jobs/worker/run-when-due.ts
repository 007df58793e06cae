// The pace of what is deleted slowly on purpose: a turn that did something is followed by the next one soon; otherwise there
// is nothing to do for a while.

import type { Clock } from '#src/platform/time/clock.ts'

const pauseMs = { busy: 60_000, idle: 3_600_000 }

/** When the next turn is due, by the monotonic clock. */
export interface NextTurn {
  atMs: number
}

/**
 * Runs a turn if one is due. A turn that fails is followed by the next one soon.
 * @param turn returns whether there may be more to do soon
 */
export async function runWhenDue(clock: Clock, next: NextTurn, turn: () => Promise<boolean>): Promise<void> {
  const nowMs = clock.monotonicMs()
  if (nowMs < next.atMs) return
  next.atMs = nowMs + pauseMs.busy
  if (!(await turn())) next.atMs = clock.monotonicMs() + pauseMs.idle
}
