// Compares this machine's clock with the clocks of the database and the service. The database's clock is authoritative,
// dates in the report are compared with its days, and our own clock only measures intervals. All three should agree.

import { measureClockSkew, tolerableSkewMs } from '#src/platform/queue/clock-skew.ts'
import { type Check, faulty, passed } from './check-result.ts'
import type { Parts } from './open-parts.ts'

/**
 * Generous, because a Date header has whole seconds and may come from a proxy, and because the days of requests are
 * compared with a tolerance of one day.
 */
export const maxServiceSkewMs = 60_000

export async function checkDatabaseClock({ database, clock }: Pick<Parts, 'database' | 'clock'>): Promise<Check[]> {
  if (!database) return []
  const skew = await measureClockSkew(database, clock)
  if (Math.abs(skew) <= tolerableSkewMs) return [passed('clock', 'agrees with the database')]
  return [
    faulty(
      'clock',
      `${describeOffset(-skew)} the database's clock`,
      `Synchronize both machines by NTP; a worker does not start if they differ by more than ${tolerableSkewMs / 1_000} s`,
    ),
  ]
}

/** @param offsetMs the service's clock minus ours, in milliseconds; null if no response contained a time */
export function checkServiceClock(offsetMs: number | null): Check {
  const name = 'service clock'
  if (offsetMs === null) return passed(name, 'not compared: no answer of the service had a Date header')
  if (Math.abs(offsetMs) <= maxServiceSkewMs) return passed(name, "agrees with this machine's clock (Date header)")
  return faulty(
    name,
    `${describeOffset(offsetMs)} the service's clock (Date header)`,
    'Synchronize this machine by NTP; if it already is, report it to the operator of the service',
  )
}

/** @param offsetMs the other clock minus ours, in milliseconds */
function describeOffset(offsetMs: number): string {
  return `this machine's clock is ${Math.round(Math.abs(offsetMs) / 1_000)} s ${offsetMs > 0 ? 'behind' : 'ahead of'}`
}
