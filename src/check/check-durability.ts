// Checks that the database cannot lose committed data, because a call whose record is lost in a crash would be sent
// again, and that Redis, if configured, is suitable for the queues. Reads PostgreSQL's settings and connects to Redis.

import type { FileSettings } from '#config/schema.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { settingsOff } from '#src/platform/database/server-facts.ts'
import { checkRedis } from '#src/platform/redis/check-redis.ts'
import { type Check, faulty, faultyFromError, faultyFromSentence, passed } from './check-result.ts'

/** Thrown if a crash could make the database server lose or damage committed data. */
export class NotDurableError extends Error {
  override readonly name = 'NotDurableError'
}

/** The risk of each setting when it is off, worded as a clause. */
const risks: Readonly<Record<string, string>> = {
  fsync:
    'a machine crash can damage the ledger, or lose the record of calls already sent, which would then be repeated',
  full_page_writes: 'a machine crash can damage the ledger',
  synchronous_commit:
    'a crash of the server can lose outcomes and deliveries that were already acknowledged (each call is still committed durably before it is sent)',
}

/** Returns the settings that are off but not listed in `database.offOnPurpose`. */
export async function riskySettings(sql: Sql, { database }: Pick<FileSettings, 'database'>): Promise<string[]> {
  return (await settingsOff(sql, Object.keys(risks))).filter(
    (name) => !database.offOnPurpose.some((each) => each === name),
  )
}

/** Pure. In development, where no real credentials are issued, `checkDatabase` reports these only as notices. */
export function checkDurableSettings(risky: readonly string[]): Check[] {
  return risky.map((name) => faulty('database', `${name} is off: ${risks[name]}`, remedyOf(name)))
}

const remedyOf = (name: string) =>
  `Set ${name} = on in PostgreSQL, or list it under database.offOnPurpose if the underlying storage gives the same guarantee`

/**
 * @returns warnings that do not stop the worker from starting
 * @throws NotDurableError in production, if a crash could damage the ledger
 */
export async function ensureDurable(sql: Sql, file: Pick<FileSettings, 'database' | 'service'>): Promise<string[]> {
  const risky = await riskySettings(sql, file)
  const sentences = checkDurableSettings(risky).map(({ what, remedy }) => `In the database, ${what}. ${remedy}.`)
  const grave = risky.some((name) => name !== 'synchronous_commit')
  if (grave && file.service.environment === 'production') throw new NotDurableError(sentences.join(' '))
  return sentences
}

/** Checks that Redis or Valkey is reachable and suitable for the queues. Connects to it. */
export async function checkQueueStore(url: string): Promise<Check[]> {
  try {
    const { version, maxmemoryPolicy, aof, faults, unknown } = await checkRedis(url)
    if (faults.length > 0) return faults.map((fault) => faultyFromSentence('Redis', fault))
    if (unknown.length > 0) return [passed('Redis', 'allows what a worker needs', { notices: unknown })]
    return [passed('Redis', `version ${version}, ${maxmemoryPolicy}${aof ? ', append-only file on' : ''}`)]
  } catch (fault) {
    return [faultyFromError('Redis', fault)]
  }
}
