// What the ledger knows of people who are forgotten and of data that expire, and the rewriting of its tables after an
// erasure. Reads and writes the database.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { type RegisteredWorker, registeredWorkers } from '#src/ledger/workers/worker-registration.ts'
import type { Database } from '#src/platform/database/database.ts'
import { erasureStore } from './erasure-store.ts'
import { erasedFileStore } from './files-to-clean.ts'
import { recordedErasureStore } from './recorded-erasures.ts'
import { retentionStore } from './retention.ts'

export const privacyStores = (
  db: Database,
  { id, environment, hasher }: { id: string; environment: string; hasher: Hasher },
) => ({
  erasures: {
    ...erasureStore(db, environment, hasher),
    ...recordedErasureStore(db, environment, id, hasher),
    ...erasedFileStore(db),
  },
  retention: retentionStore(db, environment, hasher),
})

type Rewriting =
  | { kind: 'rewritten'; tables: number; keptSamples: string[] }
  /** Nothing was done, because these workers are running. */
  | { kind: 'workers'; workers: RegisteredWorker[] }

/**
 * Rewrites the tables that hold people, so that no earlier version of a row is left in their pages, and removes the
 * planner's samples. Locks each table while it is rewritten, so nothing may run. Writes to the database.
 */
export async function rewriteTables(db: Database): Promise<Rewriting> {
  const workers = await registeredWorkers(db)
  if (workers.length > 0) return { kind: 'workers', workers }
  const session = await db.session()
  try {
    // A large table takes longer than any other statement may.
    await session.query('SET statement_timeout = 0')
    const { rows: tables } = await session.query<{ name: string }>(
      `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'credsync'::regnamespace AND col_description(c.oid, a.attnum) LIKE 'personal:%' ORDER BY name`,
    )
    for (const { name } of tables) await session.query(`VACUUM (FULL) ${name}`)
    const { rows: kept } = await session.query<{ name: string }>('SELECT remove_samples() AS name')
    return { kind: 'rewritten', tables: tables.length, keptSamples: kept.map(({ name }) => name) }
  } finally {
    await session.query('RESET statement_timeout').catch(() => {})
    await session.release()
  }
}
