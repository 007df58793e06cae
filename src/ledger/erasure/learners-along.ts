// A release takes along what earlier erasures forgot of the same learners: otherwise a learning system that reports them
// again would still be told by an earlier erasure that they are forgotten. Reads and writes the database within the
// caller's transaction.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { forgottenLearner } from '../lms/forgotten-learner.ts'
import { moveRecognized } from './write-contents.ts'

/**
 * SQL: whether the name that is kept is not that of somebody else. Two people may use one address as learners.
 * @param kept alias of a table with `name_hash`
 */
const agreesInName = (kept: string) => `(${kept}.name_hash IS NULL OR (
  SELECT count(*) = 0 OR bool_or(n.name_hash = ${kept}.name_hash) FROM (
    SELECT name_hash FROM erased_issuance WHERE erasure_id = $1 AND name_hash IS NOT NULL
    UNION SELECT name_hash FROM erased_trace WHERE erasure_id = $1 AND name_hash IS NOT NULL) n))`

/** SQL: whether erasure_id of the alias is an erasure that does not release. */
const isNotReleased = (alias: string) =>
  `EXISTS (SELECT FROM erasure x WHERE x.id = ${alias}.erasure_id AND NOT x.releases)`

/**
 * Moves the completions of the erasure's learners to it, with the traces of these completions and of their rows.
 * @returns the issuances to which the completions led, and that are to be released as well
 */
export async function takeLearnersAlong(
  sql: Sql,
  { erasureId, environment }: { erasureId: string; environment: string },
  hasher: Pick<Hasher, 'identifier'>,
): Promise<number[]> {
  const { rows } = await sql.query<{ system: string; learner: string }>(
    'SELECT DISTINCT c.system, c.learner FROM erased_completion e JOIN completion c ON c.id = e.completion_id WHERE e.erasure_id = $1',
    [erasureId],
  )
  const learners = rows.map((row) => forgottenLearner(hasher, { environment, ...row }))
  await sql.query(
    `UPDATE erased_completion e SET erasure_id = $1 FROM completion c
     WHERE c.environment = $2 AND c.learner = ANY($3::text[]) AND e.completion_id = c.id AND ${isNotReleased('e')}`,
    [erasureId, environment, learners],
  )
  const completions = 'erased_completion o JOIN completion c ON c.id = o.completion_id'
  await sql.query(
    `UPDATE erased_trace t SET erasure_id = $1
     WHERE ${isNotReleased('t')} AND ${agreesInName('t')} AND EXISTS (
       SELECT FROM ${completions} WHERE o.erasure_id = $1 AND (t.completion_id = c.id OR (t.run_id = c.run_id AND t.row_number = c.row_number)))`,
    [erasureId],
  )
  await moveRecognized(sql, erasureId)
  const { rows: issuances } = await sql.query<{ id: number }>(
    `SELECT DISTINCT e.issuance_id AS id FROM ${completions} JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     JOIN erased_issuance e ON e.issuance_id = r.issuance_id
     WHERE o.erasure_id = $1 AND (r.outcome = 'accepted' OR r.forgotten_at IS NOT NULL) AND e.released_at IS NULL AND ${isNotReleased('e')} AND ${agreesInName('e')} ORDER BY 1`,
    [erasureId],
  )
  return issuances.map(({ id }) => id)
}
