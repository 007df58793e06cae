// Sets a wrong wall clock for the whole process, libraries included, because BullMQ reads Date itself.

import type { Clock } from '#src/platform/time/clock.ts'
import { systemClock } from '#src/platform/time/clock.ts'

export interface WrongClock extends Clock {
  /** Sets the date to `ms` milliseconds ahead of the true date from now on. */
  jump(ms: number): void
}

/** Replaces the global Date. The monotonic clock stays correct, as when somebody changes the date. */
export function installWrongClock(): WrongClock {
  let aheadMs = 0
  const TrueDate = Date
  class WrongDate extends TrueDate {
    constructor(...args: [] | [number]) {
      super(...((args.length === 0 ? [TrueDate.now() + aheadMs] : args) as [number]))
    }
    static override now(): number {
      return TrueDate.now() + aheadMs
    }
  }
  globalThis.Date = WrongDate as DateConstructor
  return {
    ...systemClock,
    now: () => new Date(),
    jump(ms) {
      aheadMs = ms
    },
  }
}
