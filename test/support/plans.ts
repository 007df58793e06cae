// Checks whether the plans of statements depend on how many rows there are, or on what the planner happens to know of
// them.

import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { Database } from '#src/platform/database/database.ts'
import { onServer } from './database.ts'
import { type Explained, explainedDatabase } from './explained-database.ts'
import type { TestLedger } from './test-ledger.ts'

export const statisticsKinds = ['missing', 'old', 'fresh'] as const
/** `empty` ones were taken while a list was being published, or after that was aborted: many pages with no visible row. */
export type Statistics = (typeof statisticsKinds)[number] | 'empty'

/**
 * Rows are read more than once where earlier versions of them cannot be removed yet, which depends on what else runs on
 * the server. A plan that reads the whole list reads fifteen times as many.
 */
const maxGrowth = 3

const ourTables = `SELECT oid FROM pg_class WHERE relnamespace = 'credsync'::regnamespace AND relkind = 'r'`

/** Those that grow within the transaction that publishes a list. */
const published = `SELECT ('credsync.' || unnest('{issuance, issuance_match, issuance_identity, run_row, history, staged_row}'::text[]))::regclass`

export async function setStatistics({ database, url }: TestLedger, statistics: Statistics): Promise<void> {
  if (statistics === 'fresh') await database.query('ANALYZE')
  if (statistics === 'missing') await pretend(ourTables, 'relpages = 0, reltuples = -1', url)
  if (statistics === 'empty') await pretend(published, 'relpages = pg_relation_size(oid) / 8192, reltuples = 0', url)
}

async function pretend(tables: string, size: string, url: string): Promise<void> {
  await onServer(`DELETE FROM pg_statistic WHERE starelid IN (${tables})`, url)
  const indexes = `SELECT indexrelid FROM pg_index WHERE indrelid IN (${tables})`
  await onServer(`UPDATE pg_class SET ${size} WHERE oid IN (${tables} UNION ALL ${indexes})`, url)
}

/** Statistics change only when the test says so. */
export const keepStatistics = ({ url }: TestLedger) =>
  onServer(
    `DO $$ DECLARE t regclass; BEGIN FOR t IN ${ourTables} LOOP EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', t); END LOOP; END $$`,
    url,
  )

export function explainedLedger(database: Database) {
  const most = new Map<string, Explained>()
  const explained = explainedDatabase(database, (found) => {
    const known = most.get(found.statement)
    if (!known || found.read > known.read) most.set(found.statement, found)
  })
  return { most, open: () => openWholeLedger(explained, 'development') }
}

/** The statements that read or touch more in the second case than they should. */
export function grownBetween(
  short: ReadonlyMap<string, Explained>,
  long: ReadonlyMap<string, Explained>,
  minPages: number,
) {
  return [...long.values()].flatMap((after) => {
    const before = short.get(after.statement)
    if (!before) return [`${after.statement}: only in the second case`]
    return after.read > before.read * maxGrowth + 10 || after.buffers > Math.max(before.buffers * 2 + 30, minPages)
      ? [
          `${after.statement}: ${before.read} → ${after.read} rows, ${before.buffers} → ${after.buffers} pages; ${after.plan}`,
        ]
      : []
  })
}
