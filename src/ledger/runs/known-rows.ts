// Compares rows with the ledger in the same way as a publication, but publishes nothing. Reads the database only.

import { bytesArray, jsonArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { changedFields, namesByRole } from './changed-fields.ts'
import { knownPeople, type PersonRule } from './known-people.ts'

export interface RowToCompare {
  issuanceKey: Buffer
  recipient: Readonly<Record<string, string>>
  /** The SHA-256 of the image that is sent with the recipient. */
  imageSha256?: Buffer | null
}

// SQL: whether the image differs. A failed row automatically gets the new image if nothing else differs
// (src/ledger/runs/intake.ts), so this case does not count as a difference.
const imageDiffers = `i.recipient IS NOT NULL AND r.image_sha256 <> i.image_sha256
  AND NOT (i.state = 'failed' AND i.credential_id IS NULL AND i.recipient = r.recipient)`

export function knownRowStore(db: Sql, environment: string) {
  return {
    /**
     * Returns, for each row in order, whether the ledger has an issuance with its key, and whether its data are the
     * same.
     */
    async compare(course: string, rows: readonly RowToCompare[]): Promise<('unknown' | 'known' | 'changed')[]> {
      const { phones, emails } = namesByRole(new Set(rows.flatMap(({ recipient }) => Object.keys(recipient))))
      const matches = await db.query<{ at: number; changed: boolean }>(
        `SELECT r.at::int AS at, ${changedFields('r.recipient', 'i.recipient', { phones: '$5', emails: '$6' }, 'i.adopted_as IS NOT NULL')} IS NOT NULL OR coalesce(${imageDiffers}, false) AS changed
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
      const results = rows.map((): 'unknown' | 'known' | 'changed' => 'unknown')
      for (const { at, changed } of matches.rows) results[at - 1] = changed ? 'changed' : 'known'
      return results
    },
    /**
     * Returns everyone in the ledger for a course, for pipelines whose rows may identify people by different fields.
     */
    people: (course: string, rule: PersonRule) => knownPeople(db, environment, course, rule),
  }
}
