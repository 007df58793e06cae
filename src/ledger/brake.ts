// The brake: a run that is larger than expected is held before anything of it is issued, until a person lets it go or refuses it.

import type { Sql } from '#src/database/database.ts'
import { type BrakeLimits, judgeSize, mostRecent } from '#src/issuance/brake.ts'
import type { Decision } from './decisions.ts'

/**
 * Judges a run whose rows are staged, and holds it if it is too large: it is `braked`, its staged rows are dropped, and nothing else has
 * changed. Counted before the first issuance is made, since a million of them that are taken back leave their traces in the tables.
 * @returns whether it is held, and otherwise what its owner should know
 */
export async function brakeRun(
  sql: Sql,
  runId: string,
  course: string,
  limits: BrakeLimits,
): Promise<{ held: boolean; notices: string[] }> {
  const accepted = await newKeys(sql, runId, course)
  const { because, usual, notice } = judgeSize(limits, accepted, await recentSizes(sql, await placeOf(sql, runId)))
  if (because === null) return { held: false, notices: notice ? [notice] : [] }
  await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
  await sql.query(
    `UPDATE run SET state = 'braked', braked_at = clock_timestamp(), would_accept = $2, usual = $3, braked_because = $4, course_uuid = $5 WHERE id = $1`,
    [runId, accepted, usual, because, course],
  )
  return { held: true, notices: [] }
}

/** How many issuances the staged rows would make. */
async function newKeys(sql: Sql, runId: string, course: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(DISTINCT s.issuance_key) AS count FROM staged_row s JOIN run ON run.id = s.run_id
     WHERE s.run_id = $1 AND s.violations IS NULL AND NOT EXISTS (
       SELECT FROM issuance i WHERE i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key)`,
    [runId, course],
  )
  return rows[0]?.count ?? 0
}

async function placeOf(sql: Sql, runId: string): Promise<{ environment: string; pipeline: string }> {
  const { rows } = await sql.query<{ environment: string; pipeline: string }>(
    'SELECT environment, pipeline FROM run WHERE id = $1',
    [runId],
  )
  return rows[0] ?? { environment: '', pipeline: '' }
}

/** How many each of the last runs of a pipeline issued, of those that issued any. */
export async function recentSizes(
  sql: Sql,
  { environment, pipeline }: { environment: string; pipeline: string },
): Promise<number[]> {
  const { rows } = await sql.query<{ accepted: number }>(
    `SELECT accepted FROM run WHERE environment = $1 AND pipeline = $2 AND state = 'published' AND accepted > 0 AND corrects IS NULL AND adopts IS NULL
     ORDER BY published_at DESC, id LIMIT $3`,
    [environment, pipeline, mostRecent],
  )
  return rows.map((row) => row.accepted)
}

/** A braked run is received once more, and published whatever its size. @returns false when it is not braked (any more) */
export async function approveRun(sql: Sql, environment: string, runId: string, decision: Decision): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE run SET state = 'received', asked_at = NULL, missed_at = NULL, approved_at = clock_timestamp(), approved_by = $3, approved_why = $4
     WHERE environment = $1 AND id = $2 AND state = 'braked'`,
    [environment, runId, decision.by, decision.why],
  )
  return rowCount > 0
}

/** A braked run is refused. @returns false when it is not braked (any more) */
export async function rejectRun(sql: Sql, environment: string, runId: string, decision: Decision): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE run SET state = 'refused', settled_at = clock_timestamp(), rejected_at = clock_timestamp(), rejected_by = $3, rejected_why = $4, refusal = $5
     WHERE environment = $1 AND id = $2 AND state = 'braked'`,
    [environment, runId, decision.by, decision.why, rejection(decision)],
  )
  return rowCount > 0
}

/** `rejected by ada: the wrong list`. Pure. */
export function rejection({ by, why }: Decision): string {
  return why ? `rejected by ${by}: ${why}` : `rejected by ${by}`
}
