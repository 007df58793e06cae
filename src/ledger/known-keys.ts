// Which credentials the ledger knows already.

import type { Sql } from '#src/database/database.ts'

/** Hex of those of the keys that the ledger has an issuance for. */
export async function knownKeys(
  sql: Sql,
  environment: string,
  course: string,
  keys: readonly Buffer[],
): Promise<Set<string>> {
  const { rows } = await sql.query<{ key: string }>(
    `SELECT encode(issuance_key, 'hex') AS key FROM issuance WHERE environment = $1 AND course_uuid = $2 AND issuance_key = ANY($3::bytea[])`,
    [environment, course, keys],
  )
  return new Set(rows.map((row) => row.key))
}
