// Logs a recurring event once, and then once a minute with a count. A line for each of a job's five attempts, or for
// each of a thousand failed logins, would add no information.

import type { Clock } from '#src/platform/time/clock.ts'
import type { Log } from './log.ts'

export const quietMs = 60_000
/** If more kinds than this would be remembered, all are forgotten, and each is logged once more. */
const maxKinds = 1_000

export function openSums(clock: Pick<Clock, 'monotonicMs'>) {
  const logged = new Map<string, { atMs: number; since: number }>()
  return {
    /**
     * Counts one event. Returns how many events a line written now would represent: all those since the last line of
     * this kind. Returns 0 if that line is less than a minute old, so that nothing is logged.
     */
    count(kind: string): number {
      const known = logged.get(kind)
      const nowMs = clock.monotonicMs()
      if (known && nowMs - known.atMs < quietMs) {
        known.since += 1
        return 0
      }
      if (logged.size >= maxKinds) logged.clear()
      logged.set(kind, { atMs: nowMs, since: 0 })
      return (known?.since ?? 0) + 1
    },
    /**
     * Returns the kinds with unlogged events, and the number of those events for each. They count as logged from then
     * on.
     */
    rest(): [kind: string, count: number][] {
      const unlogged = [...logged].filter(([, { since }]) => since > 0)
      for (const [kind] of unlogged) logged.set(kind, { atMs: clock.monotonicMs(), since: 0 })
      return unlogged.map(([kind, { since }]) => [kind, since])
    },
  }
}

/**
 * Wraps a log so that repeated faults with the same fields are summed: `count` is their number since the last line.
 */
export function sumRepeatedFaults(log: Log, clock: Pick<Clock, 'monotonicMs'>): Log {
  const sums = openSums(clock)
  return {
    event(name, fields = {}) {
      if (name !== 'fault') return log.event(name, fields)
      const count = sums.count(JSON.stringify(fields))
      if (count > 0) log.event(name, count > 1 ? { ...fields, count } : fields)
    },
  }
}
