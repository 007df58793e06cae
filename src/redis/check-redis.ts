// Whether a Redis or Valkey server may keep the queues and the allowances.

import { Redis } from 'ioredis'
import { adviceOn, kindOf, noSuchDatabase, unconnected } from './redis-error.ts'
import { triedKey, tryWriting } from './try-writing.ts'

export interface RedisReport {
  version: string
  maxmemoryPolicy: string
  /** Whether the append-only file is on. */
  aof: boolean
  /** What is wrong, a sentence each with what to do; empty when all is well. */
  faults: string[]
  /** Those of them with which no worker can do its work. */
  grave: string[]
  /** What time it is there; null where it does not say. */
  now: Date | null
}

/**
 * Asks the server for its settings, writes a key that is gone in a minute, and ends the connection. Waits at most 5 s for the connection and
 * for each answer.
 * @throws RedisUnreachableError, RedisRefusedError
 */
export async function checkRedis(url: string): Promise<RedisReport> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // The rejected call says the same; without a listener ioredis prints the error, address included.
  let why: unknown = null
  redis.on('error', (error) => {
    why = error
  })
  try {
    await redis.connect()
    if (kindOf(why) === noSuchDatabase) throw why
    return withRefusal(judgeRedis(await redis.info()), await refusalOf(redis))
  } catch (error) {
    throw unconnected('its settings', why ?? error, url)
  } finally {
    redis.disconnect()
  }
}

/** The kind of its answer to a script that writes; null when it was written. */
async function refusalOf(redis: Redis): Promise<string | null> {
  try {
    await redis.eval(tryWriting.lua, 1, triedKey)
    return null
  } catch (error) {
    const kind = kindOf(error)
    if (kind === null) throw error
    return kind
  }
}

/** What a user may not do stays so; memory and disks pass, and whoever waits for them goes on by himself. */
function withRefusal(report: RedisReport, kind: string | null): RedisReport {
  if (kind === null) return report
  const fault = `It refuses to write (${kind}): ${lowerFirst(adviceOn(kind))}`
  const { faults, grave } = report
  // A replica is named already.
  if (kind === 'READONLY' && grave.length > 0) return report
  return { ...report, faults: [...faults, fault], grave: kind === 'NOPERM' ? [...grave, fault] : grave }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Reads the text of INFO. Not CONFIG GET, which hosted servers refuse. */
export function judgeRedis(info: string): RedisReport {
  const fields = new Map(info.split(/\r?\n/).map((line) => splitOnce(line)))
  const version = fields.get('redis_version') ?? 'unknown'
  const maxmemoryPolicy = fields.get('maxmemory_policy') ?? 'unknown'
  const aof = fields.get('aof_enabled') === '1'
  const faults: string[] = []
  const grave: string[] = []
  const [major = 0, minor = 0] = version.split('.').map(Number)
  // BullMQ's own advice; Valkey says 7.2 in this field.
  if (!(major > 6 || (major === 6 && minor >= 2))) grave.push(`Version ${version} is too old: use 6.2 or newer.`)
  if (maxmemoryPolicy !== 'noeviction') {
    faults.push(`maxmemory-policy is ${maxmemoryPolicy}: set it to noeviction, or jobs vanish when memory is short.`)
  }
  if (!aof)
    faults.push('Nothing is written to disk as it happens: set appendonly yes, or a restart loses the waiting jobs.')
  if (fields.get('role') === 'slave') grave.push('This is a read-only replica: name the primary.')
  // Workers on a cluster were seen to fall silent after a failover, for hours.
  if (fields.get('cluster_enabled') === '1') grave.push('This is a cluster: use a standalone server for the queues.')
  const microseconds = Number(fields.get('server_time_usec'))
  const now = microseconds > 0 ? new Date(microseconds / 1_000) : null
  return { version, maxmemoryPolicy, aof, faults: [...grave, ...faults], grave, now }
}

function splitOnce(line: string): [string, string] {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)]
}
