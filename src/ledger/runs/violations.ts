// Counts the problems in the invalid rows of a run by kind. The counting is done in the database, so that a million
// rows need not be fetched. Reads only.

import type { Sql } from '#src/platform/database/database.ts'

/** The rows of a run that break the same rule in the same field. */
export interface RunProblem {
  /** The field's display name; empty if the rule is about the whole row. */
  field: string
  rule: string
  /** The number of rows. */
  rows: number
  /** The row numbers of the first three rows. */
  examples: number[]
  /** The masked value in the first row; null if it is empty or the rule is not about a value. */
  value: string | null
}

export function violationStore(db: Sql) {
  return {
    /**
     * Returns the problems in the invalid rows of a run, those with the most rows first. Empty before the run is
     * published.
     */
    async byKind(runId: string): Promise<RunProblem[]> {
      const { rows } = await db.query<RunProblem>(
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
    },
  }
}
