// Which worker runs on this ledger, and with which settings: a worker shows itself when it has begun, and whoever asks finds it for as long
// as it holds its lock. A worker that was killed needs no clearing up: its lock went with its connection.

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
  /** Whether it is known to run now. Workers that share a Redis hold no lock, so that of them nobody knows. */
  running: boolean
}

/** @param on the session that holds the lock `worker`; any connection with `locked` false, where there is none */
export async function showWorker(on: Sql, environment: string, self: WorkerSelf, locked: boolean): Promise<void> {
  await on.query(
    `INSERT INTO worker (environment, host, pid, configuration, backend) VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN pg_backend_pid() END)
     ON CONFLICT (environment) DO UPDATE SET host = EXCLUDED.host, pid = EXCLUDED.pid, configuration = EXCLUDED.configuration,
       backend = EXCLUDED.backend, started_at = clock_timestamp()`,
    [environment, self.host, self.pid, self.configuration, locked],
  )
}

/** The workers that run, one for an environment at most, and those of which it cannot be known. */
export async function shownWorkers(sql: Sql): Promise<ShownWorker[]> {
  const { rows } = await sql.query<ShownWorker>(
    `SELECT environment, host, pid, configuration, started_at AS "startedAt", backend IS NOT NULL AS running FROM worker w
     WHERE backend IS NULL OR EXISTS (
       SELECT FROM pg_locks l WHERE l.pid = w.backend AND l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('credsync:' || w.environment || ':worker', 0))
     ORDER BY environment`,
  )
  return rows
}
