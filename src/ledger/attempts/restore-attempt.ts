// Restores an attempt of which a rolled-back ledger has lost the claim. Writes to the database within the caller's
// transaction.

import type { Sql } from '#src/platform/database/database.ts'
import { attemptDescription, giveBackRows } from './attempts.ts'
import type { CommittedClaim } from './commit-claim.ts'

/**
 * Restores an attempt whose call was made before the ledger was rolled back, so that the call's outcome can be
 * recorded: those of its rows that are now pending return to `sending`. Other prepared batches that contain these rows
 * by now are dropped.
 * @returns false when the ledger has no such attempt, or another claim has already sent it
 */
export async function restoreAttempt(sql: Sql, attemptId: number, { at, what }: CommittedClaim): Promise<boolean> {
  const wasInAttempt = 'id = ANY(ARRAY(SELECT issuance_id FROM attempt_item WHERE attempt_id = $1))'
  await sql.query(`SELECT FROM issuance WHERE ${wasInAttempt} ORDER BY id FOR NO KEY UPDATE`, [attemptId])
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE attempt SET phase = 'sending', sending_at = $2, deadline_at = clock_timestamp()
     WHERE id = $1 AND phase IN ('prepared', 'dropped') AND ${attemptDescription} = $3 RETURNING id`,
    [attemptId, at, what],
  )
  if (!rows[0]) return false
  const { rows: otherAttempts } = await sql.query<{ id: number }>(
    `UPDATE attempt SET phase = 'dropped', ended_at = clock_timestamp(), words = 'one of its rows was sent by a call that the ledger had forgotten'
     WHERE phase = 'prepared' AND id = ANY(ARRAY(SELECT open_attempt FROM issuance WHERE ${wasInAttempt})) RETURNING id`,
    [attemptId],
  )
  await giveBackRows(sql, otherAttempts)
  await sql.query(
    `UPDATE issuance SET state = 'sending', event = 'sending, as a call that the ledger had forgotten', evidence = jsonb_build_object('at', $2::timestamptz),
       attempt_id = $1, open_attempt = $1, reason = NULL, first_sent_at = least(first_sent_at, $2), last_sent_at = $2, looks = 0, controlled_looks = 0, last_look_at = NULL
     WHERE state = 'pending' AND ${wasInAttempt}`,
    [attemptId, at],
  )
  return true
}
