// Marks rows that differ from a known credential and will never wait for a decision again, so that the waiting ones are
// found without reading all such rows there ever were. Reads and writes the database.

import type { Database } from '#src/platform/database/database.ts'
import { isOfCompletions } from './completions-path.ts'
import { differingRows, isCorrected, isUsed } from './waiting-changes.ts'

/** Lists with about this many rows together are compared at once, and the others in the following minutes. */
const maxRows = 200_000
const maxLists = 1_000

// Everything is found by an index: few rows can be waiting, and each list is compared only once.
const planning = 'SET LOCAL enable_seqscan = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_hashjoin = off'

/**
 * SQL: the row `l` ends the difference of `r`: it names the same person later, and either does not differ, or itself
 * stands for the difference. Rows of completions never do, because they may be refused as those of another learner.
 */
const ends = `l.issuance_id = r.issuance_id AND l.published_at > run.published_at
  AND (l.changed_fields IS NULL OR NOT (SELECT ${isOfCompletions('o')} FROM run o WHERE o.id = l.run_id))`
/** SQL: the rows of the lists $1. */
const rowsOfLists = `(SELECT id, published_at FROM run WHERE id = ANY($1) OFFSET 0) x
  CROSS JOIN LATERAL (SELECT run_id, issuance_id, changed_fields FROM run_row WHERE run_id = x.id AND issuance_id IS NOT NULL OFFSET 0) l`
/** SQL: the rows of the person of `r`. */
const rowsOfPerson =
  'SELECT l.run_id, l.issuance_id, l.changed_fields, x.published_at FROM run_row l JOIN run x ON x.id = l.run_id WHERE l.issuance_id = r.issuance_id'

/**
 * Compares lists that were published since the last call with those before and after them, and checks which differences
 * have been decided. Two lists that are published at the same time are both compared after both are visible.
 */
export function markPastChanges(db: Database, environment: string): Promise<void> {
  return db.transaction(async (sql) => {
    await sql.query(planning)
    // Not locked, because it may take some seconds. Two workers that do this at the same time mark the same rows.
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
      // The lists may have many rows: each differing row is looked up among them.
      await sql.query('SET LOCAL enable_hashjoin = on')
      const others = `WITH l AS MATERIALIZED (SELECT l.*, x.published_at FROM ${rowsOfLists})`
      await mark(`EXISTS (SELECT FROM l WHERE ${ends})`, lists, others)
      await sql.query('SET LOCAL enable_hashjoin = off')
      // A repeated row of the list that the credential comes from is not a difference.
      const isEnded = `(r.run_id = i.run_id OR EXISTS (SELECT FROM (${rowsOfPerson}) l WHERE ${ends}))`
      await mark(`r.run_id = ANY($1) AND ${isEnded}`, lists)
      await sql.query('UPDATE run SET changes_compared = true WHERE id = ANY($1)', [lists])
    }
    // One after the other: with OR, the planner may read all issuances.
    for (const isDecided of [isCorrected, isUsed]) await mark(`run.environment = $1 AND ${isDecided}`, environment)
  })
}
