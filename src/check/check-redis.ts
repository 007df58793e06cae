// Redis or Valkey, where one is configured: can it be reached, and is it fit to keep the queues?

import { checkRedis } from '#src/redis/check-redis.ts'
import { bad, type Check, failed, good } from './check.ts'

export async function checkQueueStore(url: string): Promise<Check[]> {
  try {
    const { version, maxmemoryPolicy, aof, faults } = await checkRedis(url)
    if (faults.length > 0) return faults.map(asCheck)
    return [good('Redis', `version ${version}, ${maxmemoryPolicy}${aof ? ', append-only file on' : ''}`)]
  } catch (fault) {
    return [failed('Redis', fault)]
  }
}

/** Its faults are written `what: what to do.` */
function asCheck(sentence: string): Check {
  const colon = sentence.indexOf(': ')
  const remedy = sentence.slice(colon + 2).replace(/\.$/, '')
  return bad('Redis', sentence.slice(0, colon), remedy.charAt(0).toUpperCase() + remedy.slice(1))
}
