// The checks that a worker runs when it starts: that the database cannot lose committed data and, with Redis, that the
// clocks agree and Redis is suitable. Reads the database and connects to Redis.

import type { App } from '#src/app/app.ts'
import { checkClockSkew } from '#src/platform/queue/clock-skew.ts'
import { checkRedis } from '#src/platform/redis/check-redis.ts'
import { ensureDurable } from './check-durability.ts'

/** Thrown if the server of REDIS_URL answers but cannot be used by workers. */
export class RedisUnsuitableError extends Error {
  override readonly name = 'RedisUnsuitableError'
  readonly code = 'REDIS_UNFIT'

  constructor(faults: readonly string[]) {
    super(`The server of REDIS_URL cannot be used. ${faults.join(' ')}`)
  }
}

/**
 * Without Redis only the database is checked here, because the queue in the database compared the clocks when it was
 * opened.
 * @returns warnings about faults that do not keep the worker from starting
 * @throws NotDurableError, ClockSkewError, RedisUnsuitableError, RedisUnreachableError
 */
export async function runStartupChecks({
  settings,
  database,
  clock,
}: Pick<App, 'settings' | 'database' | 'clock'>): Promise<string[]> {
  const { redisUrl } = settings
  const risks = await ensureDurable(database, settings.file)
  if (!redisUrl) return risks
  await checkClockSkew(database, clock)
  const { faults, grave, unknown } = await checkRedis(redisUrl.reveal())
  if (grave.length > 0) throw new RedisUnsuitableError(grave)
  return [...risks, ...[...faults, ...unknown].map((fault) => `Redis: ${fault}`)]
}
