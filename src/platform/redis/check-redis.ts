// Checks that a Redis or Valkey server is suitable for the queues and the shared limits. Writes one key, which expires.

import type { Redis } from 'ioredis'
import { uncapitalized } from '#src/platform/text.ts'
import { deniedRules, ourKeys } from './denied-commands.ts'
import { connectTo } from './open-redis.ts'
import { isDenied } from './quiet-info.ts'
import { adviceFor, connectionError, kindOf } from './redis-error.ts'
import { tryWriting, writtenKey } from './try-writing.ts'

export interface RedisReport {
  version: string
  maxmemoryPolicy: string
  /** Whether the append-only file is on. */
  aof: boolean
  /** What is wrong and what to do, one sentence each; empty if the server is suitable. */
  faults: string[]
  /** Those of the faults that keep every worker from working. */
  grave: string[]
  /** What the server does not reveal and an operator should verify, one sentence each. */
  unknown: string[]
}

/**
 * Reads the server's settings, tries every command that a worker uses, writes a key that expires after a minute, and
 * ends the connection. Waits at most 5 s for the connection and for each answer.
 * @throws RedisUnreachableError, RedisRefusedError
 */
export async function checkRedis(url: string): Promise<RedisReport> {
  const redis = await connectTo(url, 'its settings', {
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  try {
    const info = await redis.call('INFO').catch((error: unknown) => {
      if (!isDenied(error)) throw error
      return ''
    })
    const report = checkRedisReport(String(info))
    const denied = await deniedRules(redis)
    return denied.length > 0 ? withDenied(report, denied, url) : withRefusal(report, await refusalOf(redis))
  } catch (error) {
    throw connectionError('its settings', error, url)
  } finally {
    redis.disconnect()
  }
}

/** Returns the kind of error with which the server answers a script that writes; null if the write succeeds. */
async function refusalOf(redis: Redis): Promise<string | null> {
  try {
    await redis.eval(tryWriting.lua, 1, writtenKey)
    return null
  } catch (error) {
    const kind = kindOf(error)
    if (kind === null) throw error
    return kind
  }
}

/** Adds the missing rights of the user. Without one of them, a worker or a command would wait forever for slots. */
function withDenied(report: RedisReport, rules: readonly string[], url: string): RedisReport {
  const user = decodeURIComponent(URL.parse(url)?.username || 'default')
  const commands = rules.filter((rule) => rule !== ourKeys).map((rule) => rule.slice(1))
  const others = commands.splice(5).length
  const may = [
    ...(rules.includes(ourKeys) ? ['use keys that begin with credsync'] : []),
    ...(commands.length > 0 ? [`run ${commands.join(', ')}${others > 0 ? ` and ${others} other commands` : ''}`] : []),
  ]
  const grant = `ACL SETUSER ${user} ${rules.join(' ')}`
  const fault = `Its user may not ${may.join(', or ')}: let an administrator of Redis run ${grant}.`
  return { ...report, faults: [fault, ...report.faults], grave: [...report.grave, fault] }
}

/** Adds a refused write to the report. A lack of memory or disk space may be temporary: workers then wait. */
function withRefusal(report: RedisReport, kind: string | null): RedisReport {
  // A replica is already reported.
  if (kind === null || (kind === 'READONLY' && report.grave.length > 0)) return report
  const fault = `The server refuses to write (${kind}): ${uncapitalized(adviceFor(kind))}`
  return { ...report, faults: [...report.faults, fault] }
}

/**
 * Parses the text of INFO, which is used because hosted servers refuse CONFIG GET. Some refuse INFO as well, or leave
 * out what a customer cannot change. The text is then empty or lacks fields. Pure.
 */
export function checkRedisReport(info: string): RedisReport {
  const fields = new Map(info.split(/\r?\n/).map((line) => splitOnce(line)))
  const version = fields.get('redis_version') ?? 'unknown'
  const maxmemoryPolicy = fields.get('maxmemory_policy') ?? 'unknown'
  const aof = fields.get('aof_enabled')
  const faults: string[] = []
  const grave: string[] = []
  const [major = 0, minor = 0] = version.split('.').map(Number)
  // BullMQ's own requirement; Valkey reports 7.2 in this field.
  if (major < 6 || (major === 6 && minor < 2)) grave.push(`Version ${version} is too old: use 6.2 or newer.`)
  if (maxmemoryPolicy !== 'noeviction' && maxmemoryPolicy !== 'unknown')
    faults.push(
      `maxmemory-policy is ${maxmemoryPolicy}: set it to noeviction, or jobs are lost when Redis runs out of memory.`,
    )
  if (aof === '0')
    faults.push('Writes are not saved to disk as they happen: set appendonly yes, or a restart loses the waiting jobs.')
  if (fields.get('role') === 'slave') grave.push('This is a read-only replica: name the primary in REDIS_URL.')
  // On a cluster, workers were observed to run no jobs for hours after a failover.
  if (fields.get('cluster_enabled') === '1') grave.push('This is a cluster: use a standalone server for the queues.')
  const hidden = [version, maxmemoryPolicy].includes('unknown') || aof === undefined
  const unknown = hidden
    ? [
        'INFO does not show its version and settings: make sure that it is a single server of 6.2 or newer, with maxmemory-policy noeviction and appendonly yes.',
      ]
    : []
  return { version, maxmemoryPolicy, aof: aof === '1', faults: [...grave, ...faults], grave, unknown }
}

function splitOnce(line: string): [string, string] {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)]
}
