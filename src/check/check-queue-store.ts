// Checks that Redis or Valkey, if configured, is reachable and suitable for the queues. Connects to it.

import { capitalized } from '#src/platform/capitalized.ts'
import { checkRedis } from '#src/platform/redis/check-redis.ts'
import { type Check, faulty, faultyFromError, passed } from './check-result.ts'

export async function checkQueueStore(url: string): Promise<Check[]> {
  try {
    const { version, maxmemoryPolicy, aof, faults, unknown } = await checkRedis(url)
    if (faults.length > 0) return faults.map(asCheck)
    if (unknown.length > 0) return [passed('Redis', 'allows what a worker needs', { notices: unknown })]
    return [passed('Redis', `version ${version}, ${maxmemoryPolicy}${aof ? ', append-only file on' : ''}`)]
  } catch (fault) {
    return [faultyFromError('Redis', fault)]
  }
}

/** The faults of `checkRedis` have the form `what: what to do.` */
function asCheck(sentence: string): Check {
  const colon = sentence.indexOf(': ')
  const remedy = sentence.slice(colon + 2).replace(/\.$/, '')
  return faulty('Redis', sentence.slice(0, colon), capitalized(remedy))
}
