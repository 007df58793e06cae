// Named locks of the ledger, which belong to a connection and go with it.

import type { Database, Session } from '#src/database/database.ts'
import { lockOf } from './shown-worker.ts'

/** The lock of workers: held alone by one without Redis, and shared by those that share a Redis. */
export const workerLock = 'worker'

/** PostgreSQL's code of a lock that was not free within lock_timeout. */
const lockNotAvailable = '55P03'

/** Why a worker may not join: one without Redis works here. Null where only its own former connection stands in the way, for a moment. */
export type Joined = Session | 'alone' | null

export function lockVerbs(database: Database, environment: string) {
  const nameOf = (name: string) => `credsync:${environment}:${name}`
  return {
    /** Runs `work` while holding a named lock; waits for it. Returns null when `wait` is false and somebody else holds it. */
    async withLock<Result>(name: string, work: () => Promise<Result>, wait = true): Promise<Result | null> {
      return holding(await takeLock(database, nameOf(name), wait), work)
    },
    /**
     * Runs `work` while holding a named lock, begun after this was called. Where somebody holds it, one of all who ask waits for that; the others leave
     * it to the one who waits. Returns null when it was left, and when the holder kept the lock for longer than five seconds.
     */
    async withLockAfter<Result>(name: string, work: () => Promise<Result>): Promise<Result | null> {
      return holding(await takeLockAfter(database, nameOf(name)), work)
    },
    /** For as long as the session lives, or null when somebody else holds it. */
    holdLock: (name: string): Promise<Session | null> => takeLock(database, nameOf(name), false),
    /** One session with the lock of this worker among several, and with its part of the lock of all workers. */
    async joinWorkers(instance: string): Promise<Joined> {
      const session = await takeLock(database, nameOf(lockOf(instance)), false)
      if (!session) return null
      try {
        if (await tryLock(session, 'pg_try_advisory_lock_shared', nameOf(workerLock))) return session
      } catch (error) {
        await session.release()
        throw error
      }
      await session.release()
      return 'alone'
    },
  }
}

/** Runs `work` and gives the lock back, whatever becomes of it; null without a lock. */
async function holding<Result>(lock: Session | null, work: () => Promise<Result>): Promise<Result | null> {
  if (!lock) return null
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

async function takeLock(database: Database, name: string, wait: boolean): Promise<Session | null> {
  const session = await database.session()
  try {
    if (wait) {
      await session.query('SET lock_timeout = 0')
      await session.query('SET statement_timeout = 0')
      await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])
      return session
    }
    if (await tryLock(session, 'pg_try_advisory_lock', name)) return session
    await session.release()
    return null
  } catch (error) {
    await session.release()
    throw error
  }
}

async function takeLockAfter(database: Database, name: string): Promise<Session | null> {
  const session = await database.session()
  const waits = `${name}:waits`
  try {
    if (await tryLock(session, 'pg_try_advisory_lock', name)) return session
    if (await tryLock(session, 'pg_try_advisory_lock', waits)) {
      await session.query(`SET lock_timeout = '5s'`)
      await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])
      // Before the work begins: whoever asks from now on asks for something that it may not see.
      await session.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [waits])
      return session
    }
    await session.release()
    return null
  } catch (error) {
    await session.release()
    if ((error as { code?: string }).code === lockNotAvailable) return null
    throw error
  }
}

async function tryLock(
  session: Session,
  how: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
  name: string,
): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>(`SELECT ${how}(hashtextextended($1, 0)) AS taken`, [name])
  return rows[0]?.taken ?? false
}
