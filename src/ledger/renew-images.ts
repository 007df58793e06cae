// A failed row that comes again with another image: the ledger keeps the person, and takes the image.

import type { Sql } from '#src/database/database.ts'

/**
 * Failed rows take the image that the staged list gives them now, where nothing else about them differs: an image may be what they failed for, and
 * `credsync retry` then sends the new one. The first row of a person counts.
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
