// Implements the fence, which prevents a worker of an older version from sending after a newer version has migrated the
// ledger. The older version might misinterpret the rows. Reads the database only.

import type { Database, Sql } from '#src/platform/database/database.ts'
import { LedgerTooNewError, migrationLock } from '../migrate.ts'

export interface Fence {
  /** Resolves when a check finds that a newer version has migrated the ledger. */
  readonly outdated: Promise<LedgerTooNewError>
  /** @throws LedgerTooNewError if a newer version has migrated the ledger */
  check(): Promise<void>
  /** Does the same check within a transaction. No migration can run until the transaction ends. */
  checkInTransaction(sql: Sql): Promise<void>
}

/** @param known the migrations of this process */
export function openFence(database: Database, known: readonly string[]): Fence {
  const { promise: outdated, resolve } = Promise.withResolvers<LedgerTooNewError>()
  async function checkOn(sql: Sql): Promise<void> {
    const { rows } = await sql.query<{ name: string }>(
      'SELECT name FROM migration WHERE name <> ALL($1::text[]) ORDER BY name',
      [known],
    )
    if (rows.length === 0) return
    const error = new LedgerTooNewError(rows.map(({ name }) => name))
    resolve(error)
    throw error
  }
  return {
    outdated,
    check: () => checkOn(database),
    async checkInTransaction(sql) {
      // Waits for a running migration, and makes the next one wait for this transaction.
      await sql.query('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [migrationLock])
      await checkOn(sql)
    },
  }
}
