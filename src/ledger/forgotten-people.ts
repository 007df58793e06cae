// Tells whose data were deleted, or are about to be, for everything that would use or change them. Reads the database
// only.

import type { Sql } from '#src/platform/database/database.ts'

export class ForgottenError extends Error {
  override readonly name = 'ForgottenError'

  constructor(id: number, day: string) {
    super(`The person of i${id} was forgotten on ${day}. Nothing was changed.`)
  }
}

/** SQL: the day on which the person of an issuance was forgotten; null if they were not. @param issuanceId with its table */
export const forgottenDay = (issuanceId: string) =>
  `(SELECT to_char(x.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') FROM erased_issuance f JOIN erasure x ON x.id = f.erasure_id WHERE f.issuance_id = ${issuanceId})`

/** Those of the issuances whose person was forgotten, with the day of the request. */
export async function forgottenDays(sql: Sql, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql.query<{ id: number; day: string }>(
    `SELECT e.issuance_id AS id, ${forgottenDay('e.issuance_id')} AS day FROM erased_issuance e WHERE e.issuance_id = ANY($1::bigint[])`,
    [ids],
  )
  return new Map(rows.map(({ id, day }) => [id, day]))
}

/** Locks the issuance, so that its person is not forgotten at the same time. @throws ForgottenError */
export async function refuseForgotten(sql: Sql, id: number): Promise<void> {
  await sql.query('SELECT FROM issuance WHERE id = $1 FOR NO KEY UPDATE', [id])
  const day = (await forgottenDays(sql, [id])).get(id)
  if (day !== undefined) throw new ForgottenError(id, day)
}
