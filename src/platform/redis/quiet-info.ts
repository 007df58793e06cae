// INFO as ioredis and BullMQ ask for it on each connection, without what would make them print lines of their own on
// the terminal. The check of Redis says the same once, in our words.

import type { Redis } from 'ioredis'
import { kindOf } from './redis-error.ts'

type Callback = (error: Error | null, text?: string) => void

/**
 * Leaves the eviction policy out of the connection's INFO, and the version if the server refuses INFO: BullMQ then
 * takes the server for the oldest that we support.
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

/** Whether the server answers that the command is not allowed, or that there is none of that name. */
export const isDenied = (error: unknown) => ['NOPERM', 'ERR'].includes(kindOf(error) ?? '')
