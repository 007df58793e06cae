// Checks that little time has passed since a moment, on the monotonic clock and on the wall clock. The monotonic clock
// stops while the machine is suspended, and the wall clock may be set by people and programs. So the two must agree.

import type { Clock } from './clock.ts'

/** One moment, on both clocks. */
export interface Moment {
  monotonicMs: number
  wall: Date
}

export const momentOf = (clock: Pick<Clock, 'now' | 'monotonicMs'>): Moment => ({
  monotonicMs: clock.monotonicMs(),
  wall: clock.now(),
})

/**
 * How far the wall clock may fall behind without having been set, because NTP slews it and it counts whole
 * milliseconds.
 */
const slackMs = 500

/**
 * Returns whether less than `ms` milliseconds have passed on both clocks. Returns false if the wall clock was rolled
 * back, because that may hide how long the machine was suspended. Pure.
 */
export function stillFresh(since: Moment, now: Moment, ms: number): boolean {
  const elapsed = now.monotonicMs - since.monotonicMs
  const elapsedByWall = now.wall.getTime() - since.wall.getTime()
  return elapsed < ms && elapsedByWall < ms && elapsedByWall >= elapsed - slackMs
}
