// Computes when a system is next polled in full and checked for drift, and when it is polled again after a failed poll.
// Pure.

import type { NightlySchedule } from '#src/extensions/lms/ledger/learning-systems.ts'
import type { PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { nextDelay } from '#src/platform/backoff.ts'
import { parseSchedule } from '#src/platform/time/schedule.ts'

export function nightlyScheduleOf(
  { name: system, settings }: Pick<PolledSystem, 'name' | 'settings'>,
  now: Date,
): Omit<NightlySchedule, 'checksDrift'> {
  const { sweep, timeZone } = settings
  return { system, schedule: `${sweep} in ${timeZone}`, nextAt: parseSchedule(sweep, timeZone)?.next(now) ?? now }
}

const backoff = { baseMs: 30_000, capMs: 30 * 60_000 }

/**
 * Returns how many milliseconds to wait after the failed poll number `attempt` (1 for the first).
 * @param requestedMs how long the system asked us to wait; null if it did not. It cannot exceed the longest wait
 */
export function pollRetryMs(attempt: number, requestedMs: number | null): number {
  return Math.min(Math.max(nextDelay(attempt, backoff), requestedMs ?? 0), backoff.capMs)
}
