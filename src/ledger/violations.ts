// What is wrong with the rows of a run that were not taken, counted by kind: the database counts, so that a million rows stay there.

import type { Sql } from '#src/database/database.ts'

/** All the rows of a run with one thing wrong in one field. */
export interface Problem {
  /** The field's display name; empty where the whole row is meant. */
  field: string
  rule: string
  /** How many rows. */
  rows: number
  /** The numbers of the first three of them. */
  examples: number[]
  /** The value in the first of them, masked; null where it is empty or none is meant. */
  value: string | null
}

/** The kinds of what is wrong with the invalid rows of a run, those of most rows first. Nothing before the run is published. */
export async function problemsOf(sql: Sql, runId: string): Promise<Problem[]> {
  const { rows } = await sql.query<Problem>(
    `WITH broken AS (
       SELECT DISTINCT ON (1, 2, 3) coalesce(v->>'field', '') AS field, coalesce(v->>'rule', '') AS rule, r.row_number, v->>'value' AS value
       FROM run_row r, jsonb_array_elements(r.violations) v
       WHERE r.run_id = $1 AND r.outcome = 'invalid'),
     ranked AS (SELECT *, row_number() OVER (PARTITION BY field, rule ORDER BY row_number) AS rank FROM broken)
     SELECT field, rule, count(*)::int AS rows, array_agg(row_number ORDER BY rank) FILTER (WHERE rank <= 3) AS examples,
            nullif(nullif(max(value) FILTER (WHERE rank = 1), ''), '(empty)') AS value
     FROM ranked GROUP BY field, rule
     ORDER BY rows DESC, min(row_number), field, rule`,
    [runId],
  )
  return rows
}
