// Reads which PostgreSQL server and timeline a database is on. Both change, legitimately, when a database is moved or a
// standby takes over.

import type { Sql } from './database.ts'

/**
 * Returns for example `7432101234567890123 timeline 1`; null if our account has no permission, as on some hosted
 * servers.
 */
export async function serverIdentity(sql: Sql): Promise<string | null> {
  try {
    const { rows } = await sql.query<{ identity: string }>(
      `SELECT system_identifier::text || ' timeline ' || ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS identity
       FROM pg_control_system()`,
    )
    return rows[0]?.identity ?? null
  } catch (error) {
    const code = (error as { code?: string }).code ?? ''
    // No permission, no such function, or a standby, which has no WAL of its own.
    if (['42501', '42883', '0A000', '55000'].includes(code)) return null
    throw error
  }
}
