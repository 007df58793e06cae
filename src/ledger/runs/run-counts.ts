// Maintains the stored counts of a run's rows by state (docs/decisions/0063-plans-by-key.md#0064). A trigger adds an
// entry for each statement that moves rows, and the sum of the entries is the current count. Reads and writes the
// database within the caller's statement or transaction.

import type { State } from '#src/domain/credential/state.ts'
import type { Sql } from '#src/platform/database/database.ts'

/** SQL: the number of rows of a run that are in one of these states. @param run SQL for the run's id */
export function rowsIn(run: string, states: readonly State[]): string {
  const list = states.map((state) => `'${state}'`).join(', ')
  return `coalesce((SELECT sum(c.rows) FROM run_count c WHERE c.run_id = ${run} AND c.state IN (${list})), 0)`
}

/**
 * Above this number, the entries of a run are summed up. A few dozen are added each second while a list is being sent.
 */
export const maxCountEntries = 50

/** Replaces the entries of these runs by their sums. */
export async function sumUpCounts(sql: Sql, runs: readonly { id: string }[]): Promise<void> {
  await sql.query(
    `WITH entry AS (DELETE FROM run_count WHERE run_id = ANY($1) RETURNING *)
     INSERT INTO run_count (run_id, state, rows, surplus) SELECT run_id, state, sum(rows), sum(surplus) FROM entry
     GROUP BY run_id, state HAVING sum(rows) <> 0 OR sum(surplus) <> 0`,
    [runs.map((run) => run.id)],
  )
}

/** Replaces the counts of a run by a fresh count of its rows. */
export async function recount(sql: Sql, runId: string): Promise<void> {
  await sql.query(
    `WITH entry AS (DELETE FROM run_count WHERE run_id = $1)
     INSERT INTO run_count (run_id, state, rows, surplus) SELECT $1, i.state, count(*), sum(i.surplus_items)
     FROM run_row r JOIN issuance i ON i.id = r.issuance_id WHERE r.run_id = $1 AND r.outcome = 'accepted' GROUP BY i.state`,
    [runId],
  )
}
