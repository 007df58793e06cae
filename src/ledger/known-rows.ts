// What the ledger would say about rows that it is not given: the comparison of a publication, without publishing anything.

import { bytesArray, jsonArray } from '#src/database/binary-array.ts'
import type { Sql } from '#src/database/database.ts'
import { changedFields, namesByRole } from './changed-fields.ts'

export interface RowToCompare {
  issuanceKey: Buffer
  recipient: Readonly<Record<string, string>>
}

/** For each row, in order: whether the ledger has an issuance of its key, and with the same data or with others. */
export async function compareRows(
  sql: Sql,
  environment: string,
  course: string,
  rows: readonly RowToCompare[],
): Promise<('unknown' | 'known' | 'changed')[]> {
  const { phones, emails } = namesByRole(new Set(rows.flatMap(({ recipient }) => Object.keys(recipient))))
  const found = await sql.query<{ at: number; changed: boolean }>(
    `SELECT r.at::int AS at, ${changedFields('r.recipient', 'i.recipient', { phones: '$5', emails: '$6' }, 'i.adopted_as IS NOT NULL')} IS NOT NULL AS changed
     FROM unnest($3::bytea[], $4::jsonb[]) WITH ORDINALITY r(issuance_key, recipient, at)
     JOIN issuance i ON i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = r.issuance_key`,
    [
      environment,
      course,
      bytesArray(rows.map((row) => row.issuanceKey)),
      jsonArray(rows.map((row) => JSON.stringify(row.recipient))),
      phones,
      emails,
    ],
  )
  const standings = rows.map((): 'unknown' | 'known' | 'changed' => 'unknown')
  for (const { at, changed } of found.rows) standings[at - 1] = changed ? 'changed' : 'known'
  return standings
}
