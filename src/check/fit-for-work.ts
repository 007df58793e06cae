// What a worker that shares its work with others looks at before it begins: the clocks, and the Redis that all of them lean on.

import type { App } from '#src/app.ts'
import { checkClockSkew, tolerableSkewMs } from '#src/queue/clock-skew.ts'
import { checkRedis } from '#src/redis/check-redis.ts'

/** The server of REDIS_URL answers, and is none that workers can share. */
export class RedisUnfitError extends Error {
  override readonly name = 'RedisUnfitError'
  readonly code = 'REDIS_UNFIT'

  constructor(faults: readonly string[]) {
    super(`The server of REDIS_URL cannot be used. ${faults.join(' ')}`)
  }
}

/**
 * Without Redis there is nothing to look at: the queue in PostgreSQL has compared the clocks when it was opened.
 * @returns sentences about what is wrong and does not keep the worker from its work
 * @throws ClockSkewError, RedisUnfitError, RedisUnreachableError
 */
export async function fitForWork({
  settings,
  database,
  clock,
}: Pick<App, 'settings' | 'database' | 'clock'>): Promise<string[]> {
  const { redisUrl } = settings
  if (!redisUrl) return []
  await checkClockSkew(database, clock)
  const before = clock.now().getTime()
  const { faults, grave, now } = await checkRedis(redisUrl.reveal())
  if (grave.length > 0) throw new RedisUnfitError(grave)
  const after = clock.now().getTime()
  const warnings = faults.map((fault) => `Redis: ${fault}`)
  // Whatever lies between the questions and the answers: its own clock decides about the allowance, ours about nothing but delays of jobs.
  const offset = now === null ? 0 : Math.max(0, before - now.getTime(), now.getTime() - after)
  if (offset > tolerableSkewMs)
    warnings.push(
      `The clock of Redis and this machine's are ${Math.round(offset / 1_000)} s apart: jobs that wait for a time come late or early. Set both by NTP.`,
    )
  return warnings
}
