// Opens slots in Redis for each gate, so that all processes of one account share its limits.

import type { RunScript } from '#src/platform/redis/open-redis.ts'
import type { ServiceAccount } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { cautionMs } from './margin-estimate.ts'
import { openRedisSlots } from './redis-slots.ts'
import { slotNames } from './slot-names.ts'
import type { Slots } from './slots.ts'

export interface SharedSlotsOptions {
  account: ServiceAccount
  marginMs: number
  run: RunScript
  clock: Clock
  /** Called with the error of the first failure of each outage, for each gate. */
  onUnavailable?: (gate: string, error: unknown) => void
  /** Called when a process with a lower limit makes the gate use that limit, and when it no longer does. */
  onLimit?: (gate: string, limit: number) => void
}

/** Returns a function for GatesOptions.slotsFor. */
export function sharedSlots(options: SharedSlotsOptions): (gate: string, limit: number) => Slots {
  const { account, marginMs, run, clock, onUnavailable, onLimit } = options
  const namesOf = slotNames(account)
  return (gate, limit) =>
    openRedisSlots({
      limit,
      marginMs,
      cautionMs,
      names: namesOf(gate),
      run,
      clock,
      onUnavailable: (error) => onUnavailable?.(gate, error),
      onLimit: (lowestLimit) => onLimit?.(gate, lowestLimit),
    })
}
