// Determines when a request appears in the report: an extra lag, fixed on arrival, and windows in which nothing new
// appears. Pure.

import { draw } from './draw.ts'
import type { Faults, Window } from './faults.ts'

/**
 * Returns the milliseconds beyond the usual lag.
 * @param number the number of the request
 * @param position its position in its batch
 */
export function extraLagMs(
  { lateVisibility: late, trickle }: Faults,
  seed: string,
  number: number,
  { position, size }: { position: number; size: number },
): number {
  let lag = trickle && size > 1 ? (trickle.spanMs * position) / (size - 1) : 0
  if (late && draw(seed, 'late', number) < late.share)
    lag += late.minMs + (late.maxMs - late.minMs) * draw(seed, 'lateness', number)
  return lag
}

/** Returns when something that is due at `dueMs` actually appears. Both times are relative to the sandbox's opening. */
export function afterBacklog(backlog: readonly Window[] | undefined, dueMs: number): number {
  if (!backlog?.length) return dueMs
  // In order of their start, because a later window may delay what an earlier one releases.
  const windows = backlog.length === 1 ? backlog : [...backlog].sort((a, b) => a.fromMs - b.fromMs)
  return windows.reduce((due, { fromMs, untilMs }) => (fromMs <= due && due < untilMs ? untilMs : due), dueMs)
}
