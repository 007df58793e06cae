// Workers that share a Redis, as they know of one another: each says that it lives, whose lock is gone and who is silent is dead, and whoever
// stands still with a lock that all need loses it.

import { nameOfConnections, type Sql } from '#src/database/database.ts'
import { alive, isLock } from './shown-worker.ts'

/** Locks that one worker holds at a time and the work of all waits for. */
export type NeededLock = 'sweep' | 'scan'

/** The verbs of workers that share a Redis, by their instances. */
export function crewVerbs(db: Sql, environment: string) {
  const ofInstances = `environment = $1 AND lock = ANY(SELECT 'worker:' || unnest($2::text[]))`
  return {
    /** This worker lives; on any connection. False when it is not shown, or no longer: others took it for dead. */
    async noteAlive(instance: string): Promise<boolean> {
      const text = `UPDATE worker SET seen_at = clock_timestamp() WHERE ${ofInstances}`
      return (await db.query(text, [environment, [instance]])).rowCount > 0
    },
    /** The store of its queues is another one now. */
    async noteStore(instance: string, store: string): Promise<void> {
      await db.query(`UPDATE worker SET store = $3 WHERE ${ofInstances}`, [environment, [instance], store])
    },
    /** The other living workers whose queues lie in another store; those whose store is not known are not among them. */
    async withOtherStore(instance: string): Promise<string[]> {
      const { rows } = await db.query<{ instance: string }>(
        `SELECT substr(w.lock, 8) AS instance FROM worker w
         JOIN worker own ON own.environment = w.environment AND own.lock = 'worker:' || $2 AND own.store <> w.store
         WHERE w.environment = $1 AND w.lock LIKE 'worker:%' AND ${alive} ORDER BY w.started_at`,
        [environment, instance],
      )
      return rows.map((row) => row.instance)
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
    /**
     * Ends the connection with which another worker of this environment holds the lock, when that worker has not said for `silentMs`
     * milliseconds that it lives: it stands still, and would keep the lock for as long as it does.
     * @returns the instances that lost it: one at most
     */
    async takeFromSilent(lock: NeededLock, own: string, silentMs: number): Promise<string[]> {
      const isSilent = `w.environment = $1 AND w.lock LIKE 'worker:%' AND w.lock <> 'worker:' || $2
             AND w.seen_at < clock_timestamp() - make_interval(secs => $3)`
      const known = [environment, own, silentMs / 1_000]
      // Nobody is, as a rule, and this is asked every second: the list of all locks costs more than these few rows.
      if ((await db.query(`SELECT FROM worker w WHERE ${isSilent}`, known)).rowCount === 0) return []
      const { rows } = await db.query<{ instance: string }>(
        // Found first and ended afterwards: in one condition the server may end every connection before it has compared any.
        `WITH held AS MATERIALIZED (
           SELECT a.pid, substr(w.lock, 8) AS instance FROM worker w
           JOIN pg_stat_activity a ON a.application_name = $5 || substr(w.lock, 8) AND a.pid <> pg_backend_pid()
           JOIN pg_locks l ON l.pid = a.pid AND ${isLock(`'credsync:' || w.environment || ':' || $4`)}
           WHERE ${isSilent})
         SELECT instance FROM held WHERE pg_terminate_backend(pid)`,
        [...known, lock, nameOfConnections('')],
      )
      return rows.map((row) => row.instance)
    },
  }
}
