// Rewrites the tables that hold people, so that no earlier version of a row is left in their pages, and removes the
// planner's samples. Locks each table while it is rewritten, so nothing may run. Writes to the database.

import type { Database } from '#src/platform/database/database.ts'
import { type RegisteredWorker, registeredWorkers } from '../workers/worker-registration.ts'
import { personalColumns } from './inventory/inventory.ts'

export type Rewriting =
  | { kind: 'rewritten'; tables: number; keptSamples: string[] }
  /** Nothing was done: these workers run. */
  | { kind: 'workers'; workers: RegisteredWorker[] }

export async function rewriteTables(db: Database): Promise<Rewriting> {
  const workers = await registeredWorkers(db)
  if (workers.length > 0) return { kind: 'workers', workers }
  const tables = [...new Set(personalColumns().map(({ table }) => table))]
  const session = await db.session()
  try {
    // A large table takes longer than any other statement may.
    await session.query('SET statement_timeout = 0')
    for (const table of tables) await session.query(`VACUUM (FULL) ${table}`)
    const { rows: kept } = await session.query<{ name: string }>('SELECT remove_samples() AS name')
    return { kind: 'rewritten', tables: tables.length, keptSamples: kept.map(({ name }) => name) }
  } finally {
    await session.query('RESET statement_timeout').catch(() => {})
    await session.release()
  }
}
