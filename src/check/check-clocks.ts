// The clocks: the database's decides, the service's dates are compared with its days, and ours only measures. All three should agree.

import { measureClockSkew, tolerableSkewMs } from '#src/queue/clock-skew.ts'
import { bad, type Check, good } from './check.ts'
import type { Parts } from './open-parts.ts'

/** A Date header tells whole seconds, and may be a proxy's; days of requests are compared with a day to spare. */
export const mostToServiceMs = 60_000

export async function checkDatabaseClock({ database, clock }: Pick<Parts, 'database' | 'clock'>): Promise<Check[]> {
  if (!database) return []
  const skew = await measureClockSkew(database, clock)
  if (Math.abs(skew) <= tolerableSkewMs) return [good('clock', 'agrees with the database')]
  return [
    bad(
      'clock',
      `${apart(-skew)} the database's`,
      `Let both machines keep network time (NTP); a worker does not start with more than ${tolerableSkewMs / 1_000} s`,
    ),
  ]
}

/** @param offset the service's clock minus ours, in milliseconds; null when no answer told its time */
export function checkServiceClock(offset: number | null): Check {
  const name = 'service clock'
  if (offset === null) return good(name, "not compared: the service's answers carry no Date header")
  if (Math.abs(offset) <= mostToServiceMs) return good(name, "agrees with this machine's (Date header)")
  return bad(
    name,
    `${apart(offset)} the service's (Date header)`,
    'Let this machine keep network time (NTP); if it does, tell whoever runs the service',
  )
}

/** @param offset of the other clock */
function apart(offset: number): string {
  return `this machine's clock is ${Math.round(Math.abs(offset) / 1_000)} s ${offset > 0 ? 'behind' : 'ahead of'}`
}
