// Empties what is said of forgotten people where others are concerned: in the history and the rows of those with whom they
// share an address, and in what the service wrote about a whole batch. Writes to the database within the caller's
// transaction.

import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'

const otherLearner = 'another learner has the same identity'
const sentence = `'This identity belongs to somebody who was forgotten (i' || known || '), and the completion to another learner. No credential was issued. Give the learner a separate address in ' || system || ', or have the pipeline identify people by more fields (its setting identity).'`

/**
 * Removes the learner numbers of the people from what is recorded of others. Called before anything else is emptied,
 * because it finds them by their rows and their history.
 */
export async function emptyMentionedLearners(sql: Sql, erasureId: string): Promise<void> {
  await sql.query(
    `UPDATE history h SET evidence = h.evidence - 'other'
     FROM erased_completion e JOIN completion c ON c.id = e.completion_id JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     CROSS JOIN LATERAL jsonb_array_elements(r.violations) v
     WHERE e.erasure_id = $1 AND v->>'rule' = 'other_learner' AND h.issuance_id = coalesce(v->>'known', substring(v->>'sentence' FROM '\\(i(\\d+)\\)'))::bigint
       AND h.event = '${otherLearner}' AND h.evidence->>'system' = c.system AND h.evidence->>'other' = c.learner`,
    [erasureId],
  )
  await sql.query(
    `UPDATE run_row r SET violations = (
       SELECT jsonb_agg(CASE WHEN v->>'rule' = 'other_learner' THEN v || jsonb_build_object('sentence', ${sentence}) ELSE v END) FROM jsonb_array_elements(r.violations) v)
     FROM (
       SELECT DISTINCT ON (c.run_id, c.row_number) c.run_id, c.row_number, e.issuance_id AS known, c.system
       FROM erased_issuance e JOIN history h ON h.issuance_id = e.issuance_id AND h.event = '${otherLearner}'
       JOIN completion c ON c.environment = e.environment AND c.system = h.evidence->>'system' AND c.learner = h.evidence->>'other'
       WHERE e.erasure_id = $1 ORDER BY 1, 2, 3) m
     WHERE r.run_id = m.run_id AND r.row_number = m.row_number AND r.outcome = 'invalid' AND r.forgotten_at IS NULL
       AND EXISTS (SELECT FROM jsonb_array_elements(r.violations) v WHERE v->>'rule' = 'other_learner' AND v->>'sentence' ~ ('\\mi' || m.known || '\\M'))`,
    [erasureId],
  )
}

/**
 * Deletes what the service wrote about the batches of these people; what credsync wrote about a dropped batch stays. The
 * others keep their copies in the history, unless these quote one of the people. Called while the data of the people are still there.
 */
export async function emptyWordsOfBatches(sql: Sql, ids: readonly number[]): Promise<void> {
  const each = eachOf('$1')
  await sql.query(
    `UPDATE history h SET evidence = h.evidence - 'words'
     FROM attempt_item item JOIN attempt ON attempt.id = item.attempt_id
     WHERE item.attempt_id IN (
         SELECT own.attempt_id FROM attempt_item own JOIN attempt a ON a.id = own.attempt_id JOIN issuance i ON i.id = own.issuance_id
         CROSS JOIN LATERAL jsonb_each_text(i.recipient) f
         WHERE own.issuance_id = ${each} AND f.key <> 'Primary Value' AND length(f.value) > 2 AND strpos(lower(a.words), lower(f.value)) > 0)
       AND h.issuance_id = item.issuance_id AND h.attempt_id = item.attempt_id AND h.evidence->>'words' = attempt.words`,
    [ids],
  )
  await sql.query(
    `UPDATE attempt SET words = NULL WHERE words IS NOT NULL AND phase = 'ended' AND id IN (SELECT attempt_id FROM attempt_item WHERE issuance_id = ${each})`,
    [ids],
  )
}
