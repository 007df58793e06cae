// The system's clock with shorter deadlines, and a monotonic time that tests can advance.

import { type Clock, systemClock } from '#src/platform/time/clock.ts'

export interface AcceleratedClock extends Clock {
  /** Moves the monotonic time forward by this many minutes. */
  advance(minutes: number): void
}

/** The deadlines of reads (60 s) and token calls (30 s) become 4 s and 2 s; shorter waits stay the same. */
const longMs = 30_000
const divisor = 15

export function acceleratedClock(): AcceleratedClock {
  let aheadMs = 0
  return {
    now: systemClock.now,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    sleep: (ms, signal) => systemClock.sleep(ms >= longMs ? ms / divisor : ms, signal),
    advance(minutes) {
      aheadMs += minutes * 60_000
    },
  }
}
