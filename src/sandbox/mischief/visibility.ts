// When a request shows in the report: its own extra lag, fixed on arrival, and the windows in which nothing new shows.

import { draw } from './draw.ts'
import type { Mischief, Window } from './mischief.ts'

/** Milliseconds beyond the usual lag. `number` counts requests, `position` and `size` are of its batch. */
export function extraLagMs(
  { lateVisibility: late, trickle }: Mischief,
  seed: string,
  number: number,
  { position, size }: { position: number; size: number },
): number {
  let lag = trickle && size > 1 ? (trickle.spanMs * position) / (size - 1) : 0
  if (late && draw(seed, 'late', number) < late.share)
    lag += late.minMs + (late.maxMs - late.minMs) * draw(seed, 'lateness', number)
  return lag
}

/** The moment at which something that falls due at `dueMs` really shows. Same zero for both: the sandbox's opening. */
export function afterBacklog(backlog: readonly Window[] | undefined, dueMs: number): number {
  if (!backlog?.length) return dueMs
  // In order of their start, so that what one window lets go the next may hold.
  const windows = backlog.length === 1 ? backlog : [...backlog].sort((a, b) => a.fromMs - b.fromMs)
  return windows.reduce((due, { fromMs, untilMs }) => (fromMs <= due && due < untilMs ? untilMs : due), dueMs)
}
