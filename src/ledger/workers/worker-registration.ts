// Reads the registrations of running workers. A worker registers when it starts, and counts as running while it holds
// its lock. When it is killed, its connection closes and the lock is released. Without Redis the lock also ensures that
// there is only one worker. Workers that share a Redis hold one lock each and record a heartbeat every few seconds
// (worker-registry.ts).

import type { Sql } from '#src/platform/database/database.ts'

export interface WorkerSelf {
  host: string
  pid: number
  /** The hash of its settings. */
  configuration: string
  /** The id of its queue store; null without Redis, and while Redis is unavailable. */
  store: string | null
  /** The parts of the work that it does, as named by `start --only`; null if they are not recorded. */
  work: readonly string[] | null
}

export interface RegisteredWorker extends WorkerSelf {
  environment: string
  startedAt: Date
  /** Whether it shares a Redis with other workers. */
  shares: boolean
}

/**
 * SQL: whether row `l` of pg_locks is the advisory lock with this name, held exclusively.
 * @param name an SQL expression
 */
export const isLock = (
  name: string,
) => `l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.mode = 'ExclusiveLock'
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(${name}, 0)`

/**
 * SQL: whether the connection of worker row `w` still holds its lock. Holding the lock `worker` in shared mode does not
 * count.
 */
export const isAliveSql = `EXISTS (SELECT FROM pg_locks l WHERE l.pid = w.backend AND ${isLock(`'credsync:' || w.environment || ':' || w.lock`)})`

/**
 * The parts of the work that process lists. A process that does none of them, such as one that only serves the console,
 * makes no progress with a list.
 */
const workOnLists = ['intake', 'issue', 'reconcile']

/** SQL: whether worker row `w` does any part of the work that processes lists. */
export const worksOnListsSql = `coalesce(w.work && '{${workOnLists.join(',')}}', true)`

/** Whether the worker does one of these parts of the work. By default, whether it processes lists. Pure. */
export const doesOneOf = ({ work }: Pick<WorkerSelf, 'work'>, parts: readonly string[] = workOnLists): boolean =>
  work === null || parts.some((part) => work.includes(part))

/** Returns the name of the lock that identifies one of several workers. Pure. */
export const workerLockName = (instance: string) => `worker:${instance}`

/** Returns the running workers. There is at most one in each environment, unless workers share a Redis. */
export async function registeredWorkers(sql: Sql): Promise<RegisteredWorker[]> {
  const { rows } = await sql.query<RegisteredWorker>(
    `SELECT environment, host, pid, configuration, store, work, started_at AS "startedAt", lock <> 'worker' AS shares FROM worker w
     WHERE ${isAliveSql} ORDER BY environment, started_at`,
  )
  return rows
}
