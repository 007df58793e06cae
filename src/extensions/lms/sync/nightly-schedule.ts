// Computes when a system is next polled in full and checked for drift, from its settings. Pure.

import type { NightlySchedule } from '#src/extensions/lms/ledger/learning-systems.ts'
import type { PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { parseSchedule } from '#src/platform/time/schedule.ts'

export function nightlyScheduleOf(
  { name: system, settings }: Pick<PolledSystem, 'name' | 'settings'>,
  now: Date,
): Omit<NightlySchedule, 'checksDrift'> {
  const { sweep, timeZone } = settings
  return { system, schedule: `${sweep} in ${timeZone}`, nextAt: parseSchedule(sweep, timeZone)?.next(now) ?? now }
}
