// Opens the rate limits for requests to the service, and the store of the access token. They apply to this process
// alone or, with Redis, to all processes together. Connects to Redis if it is configured.

import { durationMs, type Settings } from '#config/settings.ts'
import type { OnCall } from '#src/issuer/endpoint.ts'
import { openRedisTokenStore } from '#src/issuer/tokens/redis-token-store.ts'
import { openGates } from '#src/platform/limits/gates.ts'
import { sharedSlots } from '#src/platform/limits/shared-slots.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { type Log, silentLog } from '#src/platform/log/log.ts'
import type { RedisConnection } from '#src/platform/redis/open-redis.ts'
import { tryWriting, writtenKey } from '#src/platform/redis/try-writing.ts'
import type { Clock } from '#src/platform/time/clock.ts'

/** Receives measurements of this process for statistics. Its methods must neither block nor throw. */
export interface Meter {
  /** Called when an exchange with the service has ended, with its duration in milliseconds. */
  called: OnCall
  /** Called when a request has passed a gate, with its waiting time in milliseconds. */
  passed(gate: string, waitedMs: number): void
}

export interface RequestLimitsOptions {
  /**
   * Whether the limits may apply to this process alone if Redis is unreachable at the start or refuses writes. That is
   * acceptable for the few calls of a command. A worker waits for Redis instead. Default false.
   */
  mayLimitLocally?: boolean
}

/** @throws RedisUnreachableError, RedisRefusedError, unless `mayLimitLocally` */
export async function openRequestLimits(
  settings: Pick<Settings, 'baseUrl' | 'key' | 'secret' | 'redisUrl' | 'file'>,
  { clock, log = silentLog, meter }: { clock: Clock; log?: Log; meter?: Pick<Meter, 'passed'> | undefined },
  { mayLimitLocally = false }: RequestLimitsOptions = {},
) {
  const { baseUrl, key, secret, file } = settings
  const { limits } = file.service
  const marginMs = durationMs(limits.margin)
  const onFault = (where: string, error: string) => log.event('fault', { where, error })
  const { redisUrl } = settings
  const openingRedis =
    redisUrl &&
    import('#src/platform/redis/open-redis.ts').then(({ openRedis }) => openRedis({ url: redisUrl.reveal(), onFault }))
  const redis = mayLimitLocally ? await redisIfWritable(openingRedis) : await openingRedis
  const run = redis?.run.bind(redis)
  const tokenStore = run && openRedisTokenStore({ baseUrl, key, secret, run, clock, onFault })
  const slotsFor =
    run &&
    sharedSlots({
      account: settings,
      marginMs,
      run,
      clock,
      onUnavailable: (gate, error) => onFault(`slots ${gate}`, faultName(error)),
      onLimit: (gate, limit) => log.event('limit.shared', { where: gate, count: limit }),
    })
  const onPass = meter && ((gate: string, waitedMs: number) => meter.passed(gate, waitedMs))
  const gates = openGates(limits, clock, { marginMs, ...(slotsFor && { slotsFor }), ...(onPass && { onPass }) })
  return {
    gates,
    /** Stores the token that all processes of this account share; null without Redis. */
    tokenStore: tokenStore ?? null,
    /** Null without Redis. */
    redis: redis ?? null,
    /** Stops the gates and closes the connection. */
    close() {
      gates.stop()
      redis?.close()
    },
  }
}

/**
 * Returns null if Redis is unreachable, or if it refuses what slots need, because no process would then ever get a
 * slot.
 */
async function redisIfWritable(connecting: Promise<RedisConnection> | null): Promise<RedisConnection | null> {
  const redis = await connecting?.catch(() => null)
  if (!redis) return null
  try {
    await redis.run(tryWriting, [writtenKey], [])
    if ((await redis.deniedRules()).length === 0) return redis
  } catch {}
  redis.close()
  return null
}
