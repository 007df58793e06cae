// Opens slots in Redis for each gate, so that all processes of one account share its limits, and derives the names of
// their Redis keys.

import { createHmac } from 'node:crypto'
import type { RunScript } from '#src/platform/redis/open-redis.ts'
import type { ServiceAccount } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { cautionMs } from './margin-estimate.ts'
import { openRedisSlots } from './redis-slots.ts'
import type { Slots } from './slots.ts'

export interface SharedSlotsOptions {
  account: ServiceAccount
  marginMs: number
  run: RunScript
  clock: Clock
  /** Called with the error of the first failure of each outage, for each gate. */
  onUnavailable?: (gate: string, error: unknown) => void
  /** Called when another process with a lower limit makes the gate use that limit, and again when it no longer does. */
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

/**
 * Returns the names of a gate's log and state in Redis, which reveal neither the account nor the service. They are the
 * same in every process with the same key and secret. An endpoint's limit applies to the key; that of `auth` applies to
 * the source address, which processes that share a Redis are assumed to share.
 */
export function slotNames({ baseUrl, key, secret }: ServiceAccount): (gate: string) => [log: string, state: string] {
  return (gate) => {
    const origin = new URL(baseUrl).origin
    const scope = gate === 'auth' ? [origin, 'auth'] : [origin, key.reveal(), 'endpoint', gate]
    const hash = createHmac('sha256', secret.reveal())
      .update(JSON.stringify(['credsync slots', ...scope]))
      .digest('base64url')
      .slice(0, 32)
    return [`credsync-slots-{${hash}}-log`, `credsync-slots-{${hash}}-state`]
  }
}
