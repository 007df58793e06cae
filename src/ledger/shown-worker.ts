// Which worker runs on this ledger, and with which settings: a worker shows itself when it has begun, and whoever asks finds it for as long
// as it holds its lock. One that was killed is not shown any more: its lock went with its connection. Without Redis that is the lock which makes it the
// only one. Workers that share a Redis hold a lock each, and say every few seconds that they live (crew.ts).

import type { Sql } from '#src/database/database.ts'

export interface WorkerSelf {
  host: string
  pid: number
  /** A hash of its settings. */
  configuration: string
  /** The id of the store of its queues; null without Redis, and while Redis does not tell. */
  store: string | null
}

export interface ShownWorker extends WorkerSelf {
  environment: string
  startedAt: Date
  /** Whether it is one of those that share a Redis. */
  shares: boolean
}

/** Of a row of pg_locks `l`: it is the advisory lock of that name, held by one alone. @param name an SQL expression */
export const isLock = (
  name: string,
) => `l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.mode = 'ExclusiveLock'
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(${name}, 0)`

/** Of a row `w`: its connection still holds its lock. A part of the lock `worker` makes nobody the only one. */
export const alive = `EXISTS (SELECT FROM pg_locks l WHERE l.pid = w.backend AND ${isLock(`'credsync:' || w.environment || ':' || w.lock`)})`

/** @param on the session that holds the lock `lock` */
export async function showWorker(on: Sql, environment: string, self: WorkerSelf, lock: string): Promise<void> {
  await on.query(
    `INSERT INTO worker (environment, lock, host, pid, configuration, store, backend) VALUES ($1, $5, $2, $3, $4, $6, pg_backend_pid())
     ON CONFLICT (environment, lock) DO UPDATE SET host = EXCLUDED.host, pid = EXCLUDED.pid, configuration = EXCLUDED.configuration,
       store = EXCLUDED.store, backend = EXCLUDED.backend, started_at = clock_timestamp(), seen_at = clock_timestamp()`,
    [environment, self.host, self.pid, self.configuration, lock, self.store],
  )
}

/** The name of the lock of one worker among several. */
export const lockOf = (instance: string) => `worker:${instance}`

/** The workers that run: one for an environment at most, but where they share a Redis. */
export async function shownWorkers(sql: Sql): Promise<ShownWorker[]> {
  const { rows } = await sql.query<ShownWorker>(
    `SELECT environment, host, pid, configuration, store, started_at AS "startedAt", lock <> 'worker' AS shares FROM worker w
     WHERE ${alive} ORDER BY environment, started_at`,
  )
  return rows
}
