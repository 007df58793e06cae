// The allowances of one account as all processes share them: slots in Redis for each gate.

import type { Clock } from '#src/time/clock.ts'
import { openRedisSlots } from './redis-slots.ts'
import type { RunScript } from './slot-desk.ts'
import { type Account, slotNames } from './slot-names.ts'
import type { Slots } from './slots.ts'

export interface SharedSlotsOptions {
  account: Account
  marginMs: number
  run: RunScript
  clock: Clock
  /** Told of the first failure of each outage, by gate. */
  onAway?: (gate: string, error: unknown) => void
  /** Told when a process with a lower limit holds the gate to it, and when it no longer does. */
  onLimit?: (gate: string, limit: number) => void
}

/** For GatesOptions.slotsFor. */
export function sharedSlots(options: SharedSlotsOptions): (gate: string, limit: number) => Slots {
  const { account, marginMs, run, clock, onAway, onLimit } = options
  const namesOf = slotNames(account)
  return (gate, limit) =>
    openRedisSlots({
      limit,
      marginMs,
      names: namesOf(gate),
      run,
      clock,
      onAway: (error) => onAway?.(gate, error),
      onLimit: (held) => onLimit?.(gate, held),
    })
}
