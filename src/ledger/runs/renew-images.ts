// Replaces the image of a failed row by the image of a new list. Writes to the database within the caller's
// transaction.

import type { Sql } from '#src/platform/database/database.ts'

/**
 * Replaces the image of failed rows by the one in the staged list if nothing else about them differs: the old image may
 * be the reason why they failed, and `credsync retry` then sends the new one. If a list names a person several times,
 * the first row counts.
 */
export async function renewImages(sql: Sql, runId: string, course: string): Promise<void> {
  await sql.query(
    `UPDATE issuance i SET image_sha256 = s.image_sha256
     FROM (SELECT DISTINCT ON (issuance_key) issuance_key, recipient, image_sha256, run_id FROM staged_row
           WHERE run_id = $1 AND violations IS NULL AND image_sha256 IS NOT NULL ORDER BY issuance_key, row_number) s
     JOIN run ON run.id = s.run_id
     WHERE i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key AND i.recipient = s.recipient
       AND i.state = 'failed' AND i.credential_id IS NULL AND i.image_sha256 IS DISTINCT FROM s.image_sha256`,
    [runId, course],
  )
}
