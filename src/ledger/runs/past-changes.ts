// Marks rows that differ from a known credential but no longer need a decision. So the rows that do need one are found
// without reading all rows that have ever differed. Reads and writes the database.

import type { Database } from '#src/platform/database/database.ts'
import { isOfCompletions } from './completions-path.ts'
import { differingRows, isCorrected, isUsed } from './waiting-changes.ts'

/**
 * The approximate number of rows in the lists that are compared at once. The other lists follow in the next minutes.
 */
const maxRows = 200_000
const maxLists = 1_000

// Forces the use of indexes, because only few rows can be waiting, and each list is compared only once.
const planning = 'SET LOCAL enable_seqscan = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_hashjoin = off'

/**
 * SQL: whether row `l` ends the difference of row `r`. It does if it is a later row of the same person that either does
 * not differ or replaces `r` as the row that waits. A row of completions that differs never replaces another, because
 * it may be refused as that of another learner.
 */
const ends = `l.issuance_id = r.issuance_id AND l.published_at > run.published_at
  AND (l.changed_fields IS NULL OR NOT (SELECT ${isOfCompletions('o')} FROM run o WHERE o.id = l.run_id))`
/** SQL: the rows of the lists $1. */
const rowsOfLists = `(SELECT id, published_at FROM run WHERE id = ANY($1) OFFSET 0) x
  CROSS JOIN LATERAL (SELECT run_id, issuance_id, changed_fields FROM run_row WHERE run_id = x.id AND issuance_id IS NOT NULL OFFSET 0) l`
/** SQL: all rows of the person of `r`. */
const rowsOfPerson =
  'SELECT l.run_id, l.issuance_id, l.changed_fields, x.published_at FROM run_row l JOIN run x ON x.id = l.run_id WHERE l.issuance_id = r.issuance_id'

/**
 * Compares the lists published since the last call with earlier and later lists, and checks which differences have been
 * decided. If two lists are published at the same time, the comparison takes place after both are visible.
 */
export function markPastChanges(db: Database, environment: string): Promise<void> {
  return db.transaction(async (sql) => {
    await sql.query(planning)
    // No lock is taken, because this may take some seconds. Two workers that do it at the same time mark the same rows.
    const { rows } = await sql.query<{ id: string }>(
      `SELECT id FROM (
         SELECT id, sum(rows) OVER (ORDER BY published_at, id) - rows AS before FROM (
           SELECT id, published_at, rows FROM run WHERE environment = $1 AND state = 'published' AND NOT changes_compared
           ORDER BY published_at, id LIMIT ${maxLists}) first) summed
       WHERE before < ${maxRows}`,
      [environment],
    )
    const lists = rows.map(({ id }) => id)
    const mark = async (where: string, value: unknown, others = '') => {
      const { rows: past } = await sql.query<{ list: string; row: number }>(
        `${others} SELECT r.run_id AS list, r.row_number AS row FROM ${differingRows} WHERE ${where} ORDER BY 1, 2`,
        [value],
      )
      for (const [list, ofList] of Map.groupBy(past, (each) => each.list))
        await sql.query('UPDATE run_row SET change_over = true WHERE run_id = $1 AND row_number = ANY($2)', [
          list,
          ofList.map(({ row }) => row),
        ])
    }
    if (lists.length > 0) {
      // The lists may have many rows, so a hash join is allowed for looking up each differing row among them.
      await sql.query('SET LOCAL enable_hashjoin = on')
      const others = `WITH l AS MATERIALIZED (SELECT l.*, x.published_at FROM ${rowsOfLists})`
      await mark(`EXISTS (SELECT FROM l WHERE ${ends})`, lists, others)
      await sql.query('SET LOCAL enable_hashjoin = off')
      // A repeated row in the credential's own list does not count as a difference.
      const isEnded = `(r.run_id = i.run_id OR EXISTS (SELECT FROM (${rowsOfPerson}) l WHERE ${ends}))`
      await mark(`r.run_id = ANY($1) AND ${isEnded}`, lists)
      await sql.query('UPDATE run SET changes_compared = true WHERE id = ANY($1)', [lists])
    }
    // These are two statements, because with OR the planner may read all issuances.
    for (const isDecided of [isCorrected, isUsed]) await mark(`run.environment = $1 AND ${isDecided}`, environment)
  })
}
