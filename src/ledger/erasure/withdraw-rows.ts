// Withdraws rows that wait to be sent, because their person is forgotten. Writes to the database within the caller's
// transaction.

import type { Sql } from '#src/platform/database/database.ts'
import { dropUnsendableAttempts, lockWithBatches } from '../attempts/attempts.ts'

const withdrawnEvent = 'forgotten'
const withdrawnReason = 'withdrawn before it was sent, because the person was forgotten'

/**
 * Withdraws the pending rows of an erasure for ever. The other rows of their prepared batches are picked again.
 * @returns how many were withdrawn
 */
export async function withdrawRows(sql: Sql, erasureId: string): Promise<number> {
  const { rows: pending } = await sql.query<{ id: number }>(
    `SELECT i.id FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL AND i.state = 'pending'`,
    [erasureId],
  )
  if (pending.length === 0) return 0
  const ids = pending.map(({ id }) => id)
  await lockWithBatches(sql, ids)
  const { rows: withdrawn } = await sql.query<{ id: number }>(
    `UPDATE issuance SET state = 'failed', event = '${withdrawnEvent}', evidence = jsonb_build_object('erasure', $2::uuid), reason = '${withdrawnReason}'
     WHERE id = ANY($1) AND state = 'pending' RETURNING id`,
    [ids, erasureId],
  )
  await dropUnsendableAttempts(
    sql,
    withdrawn.map(({ id }) => id),
    'one of its rows was withdrawn, because its person was forgotten',
  )
  return withdrawn.length
}
