// A wrong wall clock for the whole process, libraries included: BullMQ reads Date itself.

import type { Clock } from '#src/time/clock.ts'
import { systemClock } from '#src/time/clock.ts'

export interface WrongClock extends Clock {
  /** From now on this machine's date is `ms` milliseconds ahead of the true one. */
  jump(ms: number): void
}

/** Replaces the global Date. The monotonic clock stays right, as it does when somebody sets the date. */
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
