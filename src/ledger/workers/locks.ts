// Takes named advisory locks in the ledger's database. Each lock belongs to a connection and is released when that
// connection closes.

import type { Database, Session } from '#src/platform/database/database.ts'

/**
 * The lock that every worker holds. A worker without Redis holds it exclusively, and workers that share a Redis hold it
 * in shared mode.
 */
export const workerLock = 'worker'

/** PostgreSQL's error code if a lock could not be acquired within lock_timeout. */
const lockNotAvailable = '55P03'

export function lockStore(database: Database, environment: string) {
  const nameOf = (name: string) => lockName(environment, name)
  return {
    /**
     * Runs `work` while holding a named lock. If the lock is taken, this waits for it, or returns null if `wait` is
     * false.
     */
    async withLock<Result>(name: string, work: () => Promise<Result>, wait = true): Promise<Result | null> {
      return runAndRelease(await takeLock(database, nameOf(name), wait), work)
    },
    /**
     * Ensures that `work` runs under a named lock at some time after this call. If the lock is taken, only one of the
     * callers waits for it; the others return null, because the waiting caller will do the work for them. Also returns
     * null if the lock is not released within five seconds.
     */
    async withLockAfter<Result>(name: string, work: () => Promise<Result>): Promise<Result | null> {
      return runAndRelease(await takeLockAfter(database, nameOf(name)), work)
    },
    /** Takes the lock and holds it until the session is released. Returns null if the lock is taken. */
    hold: (name: string): Promise<Session | null> => takeLock(database, nameOf(name), false),
  }
}

/** Returns the lock's name in PostgreSQL, where all environments share one namespace. Pure. */
export const lockName = (environment: string, name: string) => `credsync:${environment}:${name}`

/** Runs `work` and releases the lock afterwards, even if `work` fails. Returns null if there is no lock. */
async function runAndRelease<Result>(lock: Session | null, work: () => Promise<Result>): Promise<Result | null> {
  if (!lock) return null
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/**
 * Takes the lock on a new connection. Waits if it is taken and `wait` is true.
 * @returns the session that holds the lock until it is released; null if the lock is taken and `wait` is false
 */
export async function takeLock(database: Database, name: string, wait: boolean): Promise<Session | null> {
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
  const waitingLock = `${name}:waits`
  try {
    if (await tryLock(session, 'pg_try_advisory_lock', name)) return session
    if (await tryLock(session, 'pg_try_advisory_lock', waitingLock)) {
      await session.query(`SET lock_timeout = '5s'`)
      await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])
      // Released before the work begins, because a later call may concern a change that this work does not see.
      await session.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [waitingLock])
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

/** @returns whether the session now holds the lock */
export async function tryLock(
  session: Session,
  lockFunction: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
  name: string,
): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>(`SELECT ${lockFunction}(hashtextextended($1, 0)) AS taken`, [
    name,
  ])
  return rows[0]?.taken ?? false
}
