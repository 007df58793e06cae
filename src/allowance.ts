// What may be sent to the service and when, as configured: gates and a token of this process alone, or with Redis of all processes together.

import type { Settings } from '#config/settings.ts'
import { durationMs } from '#config/settings.ts'
import type { OnCall } from '#src/issuer/endpoint.ts'
import { openRedisTokenStore } from '#src/issuer/redis-token-store.ts'
import type { TokenStore } from '#src/issuer/token-store.ts'
import { type Gates, openGates } from '#src/limits/gates.ts'
import { sharedSlots } from '#src/limits/shared-slots.ts'
import { faultName } from '#src/log/fault-name.ts'
import { type Log, silentLog } from '#src/log/log.ts'
import { openRedis, type RedisConnection } from '#src/redis/open-redis.ts'
import { triedKey, tryWriting } from '#src/redis/try-writing.ts'
import type { Clock } from '#src/time/clock.ts'

/** Told of what this process does as it does it, for whoever keeps figures of it. It must neither wait nor throw. */
export interface Meter {
  /** An exchange with the service ended, after so many milliseconds. */
  called: OnCall
  /** Something passed a gate after so many milliseconds of waiting. */
  passed(gate: string, waitedMs: number): void
}

export interface Allowance {
  gates: Gates
  /** Where the token is that all processes of this account share; null without Redis. */
  tokenStore: TokenStore | null
  /** Null without Redis. */
  redis: RedisConnection | null
  /** Stops the gates and ends the connection. */
  close(): void
}

export interface AllowanceOptions {
  /**
   * Where Redis cannot be reached at the start, or takes no writes, the limits are held for this process alone: for a few calls of a person, not
   * for a worker, which waits.
   */
  mayGoAlone?: boolean
}

/** @throws RedisUnreachableError, RedisRefusedError, unless `mayGoAlone` */
export async function openAllowance(
  settings: Pick<Settings, 'baseUrl' | 'key' | 'secret' | 'redisUrl' | 'file'>,
  { clock, log = silentLog, meter }: { clock: Clock; log?: Log; meter?: Pick<Meter, 'passed'> | undefined },
  { mayGoAlone = false }: AllowanceOptions = {},
): Promise<Allowance> {
  const { baseUrl, key, secret, file } = settings
  const { limits } = file.service
  const marginMs = durationMs(limits.margin)
  const onFault = (where: string, error: string) => log.event('fault', { where, error })
  const connecting = settings.redisUrl && openRedis({ url: settings.redisUrl.reveal(), onFault })
  const redis = mayGoAlone ? await writable(connecting) : await connecting
  const run = redis?.run.bind(redis)
  const tokenStore = run && openRedisTokenStore({ baseUrl, key, secret, run, clock, onFault })
  const slotsFor =
    run &&
    sharedSlots({
      account: settings,
      marginMs,
      run,
      clock,
      onAway: (gate, error) => onFault(`slots ${gate}`, faultName(error)),
      onLimit: (gate, limit) => log.event('limit.shared', { where: gate, count: limit }),
    })
  const onPass = meter && ((gate: string, waitedMs: number) => meter.passed(gate, waitedMs))
  const gates = openGates(limits, clock, { marginMs, ...(slotsFor && { slotsFor }), ...(onPass && { onPass }) })
  return {
    gates,
    tokenStore: tokenStore ?? null,
    redis: redis ?? null,
    close() {
      gates.stop()
      redis?.close()
    },
  }
}

/** Null also where Redis answers and refuses to write: nobody would ever get a slot there. */
async function writable(connecting: Promise<RedisConnection> | null): Promise<RedisConnection | null> {
  const redis = await connecting?.catch(() => null)
  if (!redis) return null
  try {
    await redis.run(tryWriting, [triedKey], [])
    return redis
  } catch {
    redis.close()
    return null
  }
}
