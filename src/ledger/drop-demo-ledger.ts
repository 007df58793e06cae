// Drops the ledger that earlier demos left in a database. The caller must know that the database was used for demos
// only: the whole schema is dropped, and the only check is that no development worker holds its lock.

import type { Database } from '#src/platform/database/database.ts'

/**
 * Drops credsync's schemas.
 * @returns false if a development worker is running on this database; nothing is dropped then
 */
export async function dropDemoLedger(database: Database): Promise<boolean> {
  const session = await database.session()
  try {
    const { rows } = await session.query<{ free: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('credsync:development:worker', 0)) AS free`,
    )
    if (!rows[0]?.free) return false
    await session.query('DROP SCHEMA IF EXISTS credsync, credsync_queue_development CASCADE')
    return true
  } finally {
    await session.release()
  }
}
