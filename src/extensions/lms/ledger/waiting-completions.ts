// Finds the completions of a learner: those that have no credential, with the reason if one is known, and the issuances
// of the others. Reads the database only.

import type { WaitingRow } from '#src/ledger/runs/rows-from-elsewhere.ts'
import type { Sql } from '#src/platform/database/database.ts'

/** SQL: whether the learner of completion c has $1 as id, ID number, user name or e-mail address. */
const isCalled = `(c.learner = $1 OR c.cells->>'idnumber' = $1 OR lower($1) IN (lower(c.cells->>'email'), lower(c.cells->>'username')))`

/** The ids of issuances that come from completions of the learner who is called `who`. */
export async function issuancesOfLearner(sql: Sql, environment: string, who: string): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT DISTINCT r.issuance_id AS id FROM completion c JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     WHERE $2 IN (c.environment, 'any') AND r.issuance_id IS NOT NULL AND ${isCalled}`,
    [who, environment],
  )
  return rows.map(({ id }) => id)
}

const renewsNothing =
  'It is older than the newest known completion of this learner, and renews nothing. To issue it all the same, submit it in a file.'

/**
 * @param who the learner's id, ID number, user name or e-mail address in the learning system; user name and address are
 * compared without regard to case
 */
export async function waitingCompletions(sql: Sql, environment: string, who: string): Promise<WaitingRow[]> {
  const { rows } = await sql.query<WaitingRow>(
    `SELECT c.environment, c.system, c.pipeline, c.learner, c.course, c.completed_at AS "completedAt", c.found_at AS "heardAt", c.run_id AS run, run.state AS "runState", run.rejected_at IS NOT NULL AS "isRejected",
            c.row_number AS row, coalesce(CASE c.state WHEN 'same' THEN '${renewsNothing}' END, run.refusal, (SELECT string_agg(v->>'sentence', ' ') FROM jsonb_array_elements(r.violations) v)) AS reason
     FROM completion c LEFT JOIN run ON run.id = c.run_id LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     WHERE $2 IN (c.environment, 'any') AND (c.state <> 'same' OR c.occasion IS NOT NULL) AND (r.outcome IS NULL OR r.outcome = 'invalid')
       AND ${isCalled}
     ORDER BY c.found_at, c.id`,
    [who, environment],
  )
  return rows
}
