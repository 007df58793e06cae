// Refuses completions whose address, or other identity, belongs to a credential of another learner of the same system.
// Addresses are reassigned, but a system's learner ids are not. In the ledger the two learners would be one person
// whose data differ, and a correction would revoke one learner's credential in order to issue the other's. Reads and
// writes staged rows within the caller's transaction.

import { changedFields, namesByRole } from '#src/ledger/runs/changed-fields.ts'
import { stagedNames } from '#src/ledger/runs/publish-rows.ts'
import type { Sql } from '#src/platform/database/database.ts'

/**
 * SQL: the learner, as `learner`, whose completion in the system created the issuance (or the one that it corrects). If
 * there is none, the learner whose completion was the first to name the issuance.
 * @param system a column of the surrounding query, which must not be one of `own`
 */
export const formerLearner = (issuance: string, system: string) => `LATERAL (
  WITH RECURSIVE line AS (
    SELECT o.id, o.corrects FROM issuance o WHERE o.id = ${issuance} UNION ALL SELECT o.id, o.corrects FROM issuance o JOIN line ON o.id = line.corrects)
  SELECT own.learner FROM line JOIN run_row r ON r.issuance_id = line.id JOIN completion own ON own.run_id = r.run_id AND own.row_number = r.row_number
  WHERE own.system = ${system} ORDER BY r.outcome = 'accepted' DESC, own.id LIMIT 1)`

/**
 * SQL: whether two learner ids certainly belong to different learners. An id that is not a number may be an address or
 * a name, which can change, and which must not appear in a message.
 */
export const isOtherLearner = (learner: string, former: string) =>
  `${former} <> ${learner} AND ${learner} ~ '^[0-9]{1,19}$' AND ${former} ~ '^[0-9]{1,19}$'`

/**
 * Refuses the completions, so that an operator decides, and records both learner ids in the history of the credential.
 * For a run that is not made of completions, this costs one query.
 */
export async function refuseOtherLearner(
  sql: Sql,
  runId: string,
  { environment, course }: { environment: string; course: string },
): Promise<void> {
  const { rowCount } = await sql.query('SELECT FROM completion WHERE run_id = $1 LIMIT 1', [runId])
  if (rowCount === 0) return
  const { phones, emails } = namesByRole(await stagedNames(sql, runId))
  const sentence = `'This identity belongs to learner ' || f.former || ' of ' || f.system || ' in the ledger (i' || f.known || '), but the completion belongs to learner ' || f.learner || ', which is a different account and so a different person. No credential was issued. Give learner ' || f.learner || ' a separate address in ' || f.system || ', or have the pipeline identify people by more fields (its setting identity).'`
  await sql.query(
    `WITH f AS MATERIALIZED (
       SELECT s.row_number, c.system, c.learner, k.learner AS former, i.id AS known
       FROM staged_row s JOIN completion c ON c.run_id = s.run_id AND c.row_number = s.row_number
       JOIN issuance i ON i.environment = $2 AND i.course_uuid = $3 AND i.issuance_key = s.issuance_key
       JOIN ${formerLearner('i.id', 'c.system')} k ON ${isOtherLearner('c.learner', 'k.learner')}
       WHERE s.run_id = $1 AND s.violations IS NULL AND ${changedFields('s.recipient', 'i.recipient', { phones: '$4', emails: '$5' })} IS NOT NULL),
     noted AS (
       INSERT INTO history (issuance_id, event, evidence)
       SELECT f.known, 'another learner has the same identity', e.evidence
       FROM f, LATERAL (SELECT jsonb_build_object('system', f.system, 'learner', f.former, 'other', f.learner)) e(evidence)
       WHERE NOT EXISTS (SELECT FROM history h WHERE h.issuance_id = f.known AND h.evidence = e.evidence)
       GROUP BY f.known, e.evidence)
     UPDATE staged_row s SET recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL,
       violations = jsonb_build_array(jsonb_build_object('row', s.row_number, 'column', '', 'field', '', 'rule', 'other_learner', 'value', '', 'sentence', ${sentence}))
     FROM f WHERE s.run_id = $1 AND s.row_number = f.row_number`,
    [runId, environment, course, phones, emails],
  )
}
