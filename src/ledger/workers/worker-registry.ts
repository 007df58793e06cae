// Maintains the registry of workers, mainly for workers that share a Redis. Each records a heartbeat, and counts as
// dead when its lock is released and its heartbeat is old. If a worker stalls while holding a lock that all workers
// need, the lock is taken from it. Reads and writes the database, and may terminate another worker's database
// connection.

import { type Database, nameOfConnections, type Session, type Sql } from '#src/platform/database/database.ts'
import { lockName, takeLock, tryLock, workerLock } from './locks.ts'
import { isAliveSql, isLock, type WorkerSelf, workerLockName } from './worker-registration.ts'

/**
 * Locks that only one worker holds at a time. If its holder stalls, the work of all workers stops, or nobody is
 * notified.
 */
export type NeededLock = 'sweep' | 'scan' | 'notices' | 'messages'

/**
 * `alone` means that a worker without Redis is running, so this one must not join. Null means that this worker's former
 * connection still holds its lock and will release it shortly.
 */
export type JoinResult = Session | 'alone' | null

/** Registers workers by instance. Most of the functions are for workers that share a Redis. */
export function workerStore(db: Database, environment: string) {
  const isOneOfInstances = `environment = $1 AND lock = ANY(SELECT 'worker:' || unnest($2::text[]))`
  return {
    /**
     * Joins the other workers. Returns a session that holds this worker's own lock and, in shared mode, the common lock
     * of all workers.
     */
    async join(instance: string): Promise<JoinResult> {
      const session = await takeLock(db, lockName(environment, workerLockName(instance)), false)
      if (!session) return null
      try {
        if (await tryLock(session, 'pg_try_advisory_lock_shared', lockName(environment, workerLock))) return session
      } catch (error) {
        await session.release()
        throw error
      }
      await session.release()
      return 'alone'
    },
    /** Registers this worker. @param session the session that holds the lock `lock` */
    async record(self: WorkerSelf, session: Sql, lock: string = workerLock): Promise<void> {
      await session.query(
        `INSERT INTO worker (environment, lock, host, pid, configuration, store, work, backend) VALUES ($1, $5, $2, $3, $4, $6, $7, pg_backend_pid())
         ON CONFLICT (environment, lock) DO UPDATE SET host = EXCLUDED.host, pid = EXCLUDED.pid, configuration = EXCLUDED.configuration,
           store = EXCLUDED.store, work = EXCLUDED.work, backend = EXCLUDED.backend, started_at = clock_timestamp(), seen_at = clock_timestamp()`,
        [environment, self.host, self.pid, self.configuration, lock, self.store, self.work],
      )
    },
    /**
     * Records a heartbeat, on any connection. Returns false if this worker is not registered, for example because the
     * others considered it dead.
     */
    async noteAlive(instance: string): Promise<boolean> {
      const text = `UPDATE worker SET seen_at = clock_timestamp() WHERE ${isOneOfInstances}`
      return (await db.query(text, [environment, [instance]])).rowCount > 0
    },
    /** Records that the worker now uses this queue store. */
    async noteStore(instance: string, store: string): Promise<void> {
      await db.query(`UPDATE worker SET store = $3 WHERE ${isOneOfInstances}`, [environment, [instance], store])
    },
    /**
     * Returns the other running workers that use a different queue store. Workers whose store is unknown are left out.
     */
    async withOtherStore(instance: string): Promise<string[]> {
      const { rows } = await db.query<{ instance: string }>(
        `SELECT substr(w.lock, 8) AS instance FROM worker w
         JOIN worker own ON own.environment = w.environment AND own.lock = 'worker:' || $2 AND own.store <> w.store
         WHERE w.environment = $1 AND ${isAliveSql} ORDER BY w.started_at`,
        [environment, instance],
      )
      return rows.map((row) => row.instance)
    },
    /** Returns workers that no longer hold their lock and have not recorded a heartbeat for `silentMs` milliseconds. */
    async dead(silentMs: number): Promise<string[]> {
      const { rows } = await db.query<{ instance: string }>(
        `SELECT substr(lock, 8) AS instance FROM worker w WHERE environment = $1 AND lock LIKE 'worker:%'
           AND seen_at < clock_timestamp() - make_interval(secs => $2) AND NOT ${isAliveSql} ORDER BY seen_at`,
        [environment, silentMs / 1_000],
      )
      return rows.map((row) => row.instance)
    },
    /** Removes these workers from the registry, except those that hold their lock. */
    async forget(instances: readonly string[]): Promise<void> {
      await db.query(`DELETE FROM worker w WHERE ${isOneOfInstances} AND NOT ${isAliveSql}`, [environment, instances])
    },
    /**
     * Terminates the connection with which another worker of this environment holds the lock, if that worker has not
     * recorded a heartbeat for `silentMs` milliseconds. Such a worker has stalled and would not release the lock.
     * @returns an array with the instance that lost the lock; empty if there was none
     */
    async terminateStalled(lock: NeededLock, own: string, silentMs: number): Promise<string[]> {
      const isSilent = `w.environment = $1 AND w.lock LIKE 'worker:%' AND w.lock <> 'worker:' || $2
             AND w.seen_at < clock_timestamp() - make_interval(secs => $3)`
      const values = [environment, own, silentMs / 1_000]
      // This runs every second, and usually no worker is silent. So these few rows are read first, which is cheaper
      // than listing all locks.
      if ((await db.query(`SELECT FROM worker w WHERE ${isSilent}`, values)).rowCount === 0) return []
      const { rows } = await db.query<{ instance: string }>(
        // Materialized, so that the connections are found before any is terminated. With a single condition, the server
        // might terminate connections before it evaluates the rest of the condition.
        `WITH held AS MATERIALIZED (
           SELECT a.pid, substr(w.lock, 8) AS instance FROM worker w
           JOIN pg_stat_activity a ON a.application_name = $5 || substr(w.lock, 8)
           JOIN pg_locks l ON l.pid = a.pid AND ${isLock(`'credsync:' || w.environment || ':' || $4`)}
           WHERE ${isSilent})
         SELECT instance FROM held WHERE pg_terminate_backend(pid)`,
        [...values, lock, nameOfConnections('')],
      )
      return rows.map((row) => row.instance)
    },
  }
}
