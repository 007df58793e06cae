// Which worker runs on this ledger, and with which settings: a worker shows itself when it has begun, and whoever asks finds it for as long
// as it holds its lock. A worker that was killed needs no clearing up: its lock went with its connection. Without Redis that is the lock which makes
// it the only one; workers that share a Redis hold a lock each, which says no more than that they are there.

import type { Sql } from '#src/database/database.ts'

export interface WorkerSelf {
  host: string
  pid: number
  /** A hash of its settings. */
  configuration: string
}

export interface ShownWorker extends WorkerSelf {
  environment: string
  startedAt: Date
}

/** Of a row `w`: its connection still holds its lock. */
const alive = `EXISTS (
  SELECT FROM pg_locks l WHERE l.pid = w.backend AND l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('credsync:' || w.environment || ':' || w.lock, 0))`

/** @param on the session that holds the lock `lock`. Those that are gone are forgotten */
export async function showWorker(on: Sql, environment: string, self: WorkerSelf, lock: string): Promise<void> {
  await on.query(`DELETE FROM worker w WHERE environment = $1 AND lock <> $2 AND NOT ${alive}`, [environment, lock])
  await on.query(
    `INSERT INTO worker (environment, lock, host, pid, configuration, backend) VALUES ($1, $5, $2, $3, $4, pg_backend_pid())
     ON CONFLICT (environment, lock) DO UPDATE SET host = EXCLUDED.host, pid = EXCLUDED.pid, configuration = EXCLUDED.configuration,
       backend = EXCLUDED.backend, started_at = clock_timestamp()`,
    [environment, self.host, self.pid, self.configuration, lock],
  )
}

/** The workers that run: one for an environment at most, but where they share a Redis. */
export async function shownWorkers(sql: Sql): Promise<ShownWorker[]> {
  const { rows } = await sql.query<ShownWorker>(
    `SELECT environment, host, pid, configuration, started_at AS "startedAt" FROM worker w
     WHERE ${alive} ORDER BY environment, started_at`,
  )
  return rows
}
