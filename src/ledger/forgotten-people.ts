// Finds people whose data were deleted or are about to be deleted. Used by all code that would use or change these
// data. Locks rows, but changes nothing in the database.

import type { Sql } from '#src/platform/database/database.ts'

/** Indicates that the data of an issuance were deleted or will be. */
export interface Forgotten {
  /** Whether the person requested it, or the retention period of their list ended. */
  kind: 'request' | 'retention'
  day: string
}

/** Returns a clause that can follow “because”. Pure. */
export function whenForgotten({ kind, day }: Forgotten): string {
  return kind === 'request' ? `its person was forgotten on ${day}` : `its data expired on ${day}`
}

export class ForgottenError extends Error {
  override readonly name = 'ForgottenError'

  constructor(id: number, forgotten: Forgotten) {
    super(`i${id}: ${whenForgotten(forgotten)}. Nothing was changed.`)
  }
}

/**
 * SQL: a `Forgotten` as JSON, or null if the data of the issuance are kept. @param issuanceId the column, with its
 * table
 */
export const forgottenJson = (issuanceId: string) =>
  `(SELECT json_build_object('kind', x.kind, 'day', to_char(x.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'))
    FROM erased_issuance f JOIN erasure x ON x.id = f.erasure_id WHERE f.issuance_id = ${issuanceId})`

/**
 * SQL: whether a row of a list that refers to an issuance is about the person of that issuance. A row that was skipped
 * with different data may be about someone else.
 * @param row the alias of the row's table
 */
export const isOfItsPerson = (row: string) => `(${row}.outcome = 'accepted' OR ${row}.changed_fields IS NULL)`

/**
 * SQL: whether the data of the issuance are deleted, because of an erasure or the end of a retention period.
 * @param id SQL for its id
 */
export const isEmptied = (id: string) =>
  `EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = ${id} AND e.emptied_at IS NOT NULL)`

/** Returns those of the issuances whose data were deleted or will be. */
export async function forgottenOf(sql: Sql, ids: readonly number[]): Promise<Map<number, Forgotten>> {
  const { rows } = await sql.query<{ id: number; forgotten: Forgotten }>(
    `SELECT e.issuance_id AS id, ${forgottenJson('e.issuance_id')} AS forgotten FROM erased_issuance e WHERE e.issuance_id = ANY($1::bigint[])`,
    [ids],
  )
  return new Map(rows.map(({ id, forgotten }) => [id, forgotten]))
}

/** Locks the issuance, so that its person is not forgotten at the same time. @throws ForgottenError */
export async function refuseForgotten(sql: Sql, id: number): Promise<void> {
  await sql.query('SELECT FROM issuance WHERE id = $1 FOR NO KEY UPDATE', [id])
  const forgotten = (await forgottenOf(sql, [id])).get(id)
  if (forgotten) throw new ForgottenError(id, forgotten)
}
