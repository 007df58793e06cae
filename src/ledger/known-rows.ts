// What the ledger would say about rows that it is not given: the comparison of a publication, without publishing anything.

import { bytesArray, jsonArray } from '#src/database/binary-array.ts'
import type { Sql } from '#src/database/database.ts'
import { changedFields, namesByRole } from './changed-fields.ts'

export interface RowToCompare {
  issuanceKey: Buffer
  recipient: Readonly<Record<string, string>>
  /** SHA-256 of the image that travels with it. */
  imageSha256?: Buffer | null
}

// A failed row takes another image without a word, where nothing else differs (src/ledger/renew-images.ts).
const otherImage = `i.recipient IS NOT NULL AND r.image_sha256 <> i.image_sha256
  AND NOT (i.state = 'failed' AND i.credential_id IS NULL AND i.recipient = r.recipient)`

/** For each row, in order: whether the ledger has an issuance of its key, and with the same data or with others. */
export async function compareRows(
  sql: Sql,
  environment: string,
  course: string,
  rows: readonly RowToCompare[],
): Promise<('unknown' | 'known' | 'changed')[]> {
  const { phones, emails } = namesByRole(new Set(rows.flatMap(({ recipient }) => Object.keys(recipient))))
  const found = await sql.query<{ at: number; changed: boolean }>(
    `SELECT r.at::int AS at, ${changedFields('r.recipient', 'i.recipient', { phones: '$5', emails: '$6' }, 'i.adopted_as IS NOT NULL')} IS NOT NULL OR coalesce(${otherImage}, false) AS changed
     FROM unnest($3::bytea[], $4::jsonb[], $7::bytea[]) WITH ORDINALITY r(issuance_key, recipient, image_sha256, at)
     JOIN issuance i ON i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = r.issuance_key`,
    [
      environment,
      course,
      bytesArray(rows.map((row) => row.issuanceKey)),
      jsonArray(rows.map((row) => JSON.stringify(row.recipient))),
      phones,
      emails,
      bytesArray(rows.map((row) => row.imageSha256 ?? null)),
    ],
  )
  const standings = rows.map((): 'unknown' | 'known' | 'changed' => 'unknown')
  for (const { at, changed } of found.rows) standings[at - 1] = changed ? 'changed' : 'known'
  return standings
}
