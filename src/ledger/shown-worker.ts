// Which worker runs on this ledger, and with which settings: a worker shows itself when it has begun, and whoever asks finds it for as long
// as it holds its lock. One that was killed is not shown any more: its lock went with its connection. Without Redis that is the lock which makes it the
// only one. Workers that share a Redis hold a lock each, and say every few seconds that they live: whose lock is gone and who is silent is dead.

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

/** @param on the session that holds the lock `lock` */
export async function showWorker(on: Sql, environment: string, self: WorkerSelf, lock: string): Promise<void> {
  await on.query(
    `INSERT INTO worker (environment, lock, host, pid, configuration, backend) VALUES ($1, $5, $2, $3, $4, pg_backend_pid())
     ON CONFLICT (environment, lock) DO UPDATE SET host = EXCLUDED.host, pid = EXCLUDED.pid, configuration = EXCLUDED.configuration,
       backend = EXCLUDED.backend, started_at = clock_timestamp(), seen_at = clock_timestamp()`,
    [environment, self.host, self.pid, self.configuration, lock],
  )
}

/** The name of the lock of one worker among several. */
export const lockOf = (instance: string) => `worker:${instance}`

/** The verbs of workers that share a Redis, by their instances. */
export function crewVerbs(db: Sql, environment: string) {
  const ofInstances = `environment = $1 AND lock = ANY(SELECT 'worker:' || unnest($2::text[]))`
  return {
    /** This worker lives; on any connection. False when it is not shown, or no longer: others took it for dead. */
    async noteAlive(instance: string): Promise<boolean> {
      const text = `UPDATE worker SET seen_at = clock_timestamp() WHERE ${ofInstances}`
      return (await db.query(text, [environment, [instance]])).rowCount > 0
    },
    /** Those that hold their lock no longer and have not said for `silentMs` milliseconds that they live. */
    async dead(silentMs: number): Promise<string[]> {
      const { rows } = await db.query<{ instance: string }>(
        `SELECT substr(lock, 8) AS instance FROM worker w WHERE environment = $1 AND lock LIKE 'worker:%'
           AND seen_at < clock_timestamp() - make_interval(secs => $2) AND NOT ${alive} ORDER BY seen_at`,
        [environment, silentMs / 1_000],
      )
      return rows.map((row) => row.instance)
    },
    /** One that holds its lock is kept. */
    async forget(instances: readonly string[]): Promise<void> {
      await db.query(`DELETE FROM worker w WHERE ${ofInstances} AND NOT ${alive}`, [environment, instances])
    },
  }
}

/** The workers that run: one for an environment at most, but where they share a Redis. */
export async function shownWorkers(sql: Sql): Promise<ShownWorker[]> {
  const { rows } = await sql.query<ShownWorker>(
    `SELECT environment, host, pid, configuration, started_at AS "startedAt" FROM worker w
     WHERE ${alive} ORDER BY environment, started_at`,
  )
  return rows
}
