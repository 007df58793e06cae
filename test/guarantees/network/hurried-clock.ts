// The system's clock for a worker under test: long patience ends sooner, and time can be moved on.

import { type Clock, systemClock } from '#src/time/clock.ts'

export interface HurriedClock extends Clock {
  /** Moves the monotonic time on by so many minutes. */
  moveOn(minutes: number): void
}

/** The client's deadlines of reads (60 s) and of token calls (30 s) become 2 s and 1 s; every shorter wait stays as it is. */
const longMs = 30_000
const hurry = 30

export function hurriedClock(): HurriedClock {
  let ahead = 0
  return {
    now: systemClock.now,
    monotonicMs: () => systemClock.monotonicMs() + ahead,
    sleep: (ms, signal) => systemClock.sleep(ms >= longMs ? ms / hurry : ms, signal),
    moveOn(minutes) {
      ahead += minutes * 60_000
    },
  }
}
