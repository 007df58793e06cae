// Ends an erasure of which everything was emptied. If the person is released, the hashes go as well, so that a later list
// issues the person again. Writes to the database within the caller's transaction.

import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'
import { releaseLearners } from '../lms/empty-learning.ts'

/** @returns false if something is not emptied yet, or the erasure has ended already */
export async function endErasure(sql: Sql, erasureId: string): Promise<boolean> {
  const { rows } = await sql.query<{ releases: boolean }>(
    `UPDATE erasure SET ended_at = clock_timestamp(), waits_for = NULL WHERE id = $1 AND ended_at IS NULL
       AND NOT EXISTS (SELECT FROM erased_issuance e WHERE e.erasure_id = $1 AND e.emptied_at IS NULL)
       AND NOT EXISTS (SELECT FROM erased_row e WHERE e.erasure_id = $1 AND e.emptied_at IS NULL)
       AND NOT EXISTS (SELECT FROM erased_completion e WHERE e.erasure_id = $1 AND e.emptied_at IS NULL)
     RETURNING releases`,
    [erasureId],
  )
  if (rows[0]?.releases) await release(sql, erasureId)
  return rows.length > 0
}

/** Removes every hash of the person. The rows keep hashes that nobody can compute. */
async function release(sql: Sql, erasureId: string): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    'SELECT i.id FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id WHERE e.erasure_id = $1 ORDER BY i.id FOR UPDATE OF i',
    [erasureId],
  )
  await releaseLearners(sql, erasureId)
  await sql.query('DELETE FROM erased_trace WHERE erasure_id = $1', [erasureId])
  const ids = rows.map(({ id }) => id)
  const each = eachOf('$1')
  await sql.query(`DELETE FROM erased_identifier WHERE issuance_id = ${each}`, [ids])
  await sql.query(`DELETE FROM issuance_identity WHERE issuance_id = ${each}`, [ids])
  await sql.query(`DELETE FROM issuance_match WHERE issuance_id = ${each}`, [ids])
  await sql.query(
    `UPDATE erased_issuance SET released_at = clock_timestamp(), name_hash = NULL, occurrence_hash = NULL, identity_fields = '{}', name_fields = '{}', occurrence_fields = NULL WHERE issuance_id = ${each}`,
    [ids],
  )
  await sql.query(
    `UPDATE issuance SET issuance_key = superseded_key(issuance_key, id), identity_hash = superseded_key(identity_hash, id) WHERE id = ${each}`,
    [ids],
  )
}
