// Filters the INFO response that ioredis and BullMQ request on each connection, so that they do not print their own
// warnings on the terminal. check-redis.ts reports the same faults once.

import type { Redis } from 'ioredis'
import { kindOf } from './redis-error.ts'

type Callback = (error: Error | null, text?: string) => void

/**
 * Leaves the eviction policy out of the connection's INFO. If the server refuses INFO, returns the oldest version that
 * we support instead.
 */
export function quietInfo(redis: Redis): Redis {
  const info = redis.info.bind(redis)
  const read = async (callback?: Callback) => {
    try {
      const text = (await info().catch(versionIfRefused)).replace(/^maxmemory_policy:.*$/m, '')
      callback?.(null, text)
      return text
    } catch (error) {
      callback?.(error as Error)
      throw error
    }
  }
  redis.info = read as typeof redis.info
  return redis
}

function versionIfRefused(error: unknown): string {
  if (!isDenied(error)) throw error
  return 'redis_version:6.2.0'
}

/** Whether the server replied that the command is not allowed or does not exist. */
export const isDenied = (error: unknown) => ['NOPERM', 'ERR'].includes(kindOf(error) ?? '')
