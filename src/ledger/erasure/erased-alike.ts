// Tells whether issuances that were forgotten before are of one person, by the hashes that are left of them. Reads the
// database only.

import type { PersonRecord } from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'

/** @param others what is known of the same address or number, and was not forgotten */
export async function erasedAlike(
  sql: Sql,
  ids: readonly number[],
  others: ReadonlyMap<number, PersonRecord>,
): Promise<boolean> {
  if (ids.length === 0 || ids.length + others.size < 2) return true
  // A name can be compared with a hash only by whoever has it, and an operator can name each issuance by its id.
  if (others.size > 0) return false
  const { rows } = await sql.query<{ people: number }>(
    `SELECT count(DISTINCT coalesce(encode(e.name_hash, 'hex'), 'i' || e.issuance_id)) AS people FROM erased_issuance e WHERE e.issuance_id = ANY($1)`,
    [ids],
  )
  return rows[0]?.people === 1
}
