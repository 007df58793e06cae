// The verbs about completions whose rows are invalid: by which rules, and when others are in force.

import type { Database, Sql } from '#src/database/database.ts'
import { judgedAnew } from './deliveries.ts'

/** So long the rules by which a row was refused are taken for those of the present. */
const compareHours = 1

/** What makes a completion go into the next run. */
export const waitsAgain = `state = 'ready', run_id = NULL, row_number = NULL, refused_by = NULL, compared_at = NULL`

/**
 * Whether the row of completion c is invalid. That it once was is not enough: a worker of an earlier version forgets to say when it is so no more,
 * and whoever has a credential must not be tried again by other rules.
 */
export const isRefused = `c.refused_by IS NOT NULL
  AND EXISTS (SELECT FROM run_row r WHERE r.run_id = c.run_id AND r.row_number = c.row_number AND r.outcome = 'invalid')`

/** One at a time for a pipeline: what was seen of a completion stays so until it is changed. */
export async function lockCompletions(sql: Sql, environment: string, pipeline: string): Promise<void> {
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `credsync:${environment}:completions:${pipeline}`,
  ])
}

/** Completions have no file that could be handed in again: when the rules are others, their invalid rows are tried again by themselves. */
export async function noteRefusedBy(sql: Sql, runId: string, rules: string): Promise<void> {
  await sql.query(
    `UPDATE completion c SET refused_by = $2, compared_at = clock_timestamp() FROM run_row r
     WHERE r.run_id = $1 AND r.outcome = 'invalid' AND c.run_id = r.run_id AND c.row_number = r.row_number`,
    [runId, rules],
  )
}

export function refusedCompletionVerbs(db: Database, environment: string) {
  return {
    /** At the start of a worker, which may have been told other rules: they are compared now. */
    compareNow: async (): Promise<void> => {
      await db.query(
        `UPDATE completion SET compared_at = '-infinity' WHERE environment = $1 AND refused_by IS NOT NULL`,
        [environment],
      )
    },
    /** Pipelines with rows that are invalid by rules which were not compared with the present ones for a while; each is told once. */
    takeToCompare: async (): Promise<string[]> => {
      const { rows } = await db.query<{ pipeline: string }>(
        `WITH taken AS (
           UPDATE completion SET compared_at = clock_timestamp()
           WHERE environment = $1 AND refused_by IS NOT NULL AND compared_at < statement_timestamp() - interval '${compareHours} hours' RETURNING pipeline)
         SELECT DISTINCT pipeline FROM taken ORDER BY pipeline`,
        [environment],
      )
      return rows.map(({ pipeline }) => pipeline)
    },
    /**
     * Completions whose rows are invalid by other rules than these are tried again. Of an event that was taken at its word the event is judged
     * again, as long as its body is kept: how it is mapped belongs to the rules.
     * @returns systems with deliveries to judge
     */
    tryAgain: (pipeline: string, rules: string): Promise<string[]> =>
      db.transaction(async (sql) => {
        await lockCompletions(sql, environment, pipeline)
        const here = `c.environment = $1 AND c.pipeline = $2 AND c.refused_by <> $3 AND ${isRefused}`
        // One delivery may have told of many of them.
        const { rows } = await sql.query<{ id: number; delivery: number; system: string }>(
          `SELECT c.id, d.id AS delivery, d.system FROM completion c JOIN delivery d ON d.id = c.delivery_id WHERE ${here} AND d.body IS NOT NULL`,
          [environment, pipeline, rules],
        )
        const mappedAnew = rows.map(({ id }) => id)
        await sql.query(`UPDATE delivery SET ${judgedAnew} WHERE id = ANY($1::bigint[])`, [
          rows.map(({ delivery }) => delivery),
        ])
        await sql.query('UPDATE completion SET refused_by = $2 WHERE id = ANY($1::bigint[])', [mappedAnew, rules])
        await sql.query(`UPDATE completion c SET ${waitsAgain} WHERE ${here}`, [environment, pipeline, rules])
        return [...new Set(rows.map(({ system }) => system))]
      }),
  }
}
