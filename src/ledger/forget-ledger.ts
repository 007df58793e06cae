// Empties a ledger that was only ever a demonstration's, and so of the development environment.

import type { Database } from '#src/database/database.ts'

/** Drops everything of ours in the database. @returns false, and drops nothing, while a worker works on it */
export async function forgetLedger(database: Database): Promise<boolean> {
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
