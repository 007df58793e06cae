// Defines a revocation as stored in the ledger, and changes its state. Writes each change to the database, with an
// entry in the history of the issuance.

import type { Database, Sql } from '#src/platform/database/database.ts'

/**
 * `wanted` means not sent yet. `accepted` means confirmed by the service. `seen` means that the report shows the date
 * of the revocation.
 */
export const revocationStates = [
  'wanted',
  'sending',
  'unconfirmed',
  'accepted',
  'refused',
  'not_applied',
  'seen',
] as const
export type RevocationState = (typeof revocationStates)[number]

/** Whether the revocation may still take effect, so that no second one is requested for the same credential. */
export const isOpenRevocation = (state: RevocationState): boolean => !['refused', 'not_applied', 'seen'].includes(state)

/** The data of the credential that replaces a revoked one. */
export interface Correction {
  recipient: Readonly<Record<string, string>>
  issuanceKey: Buffer
  identityHash: Buffer
  matchHashes: readonly Buffer[]
  /** Names of the fields that differ, never their values. */
  changedFields: readonly string[]
  /**
   * The SHA-256 of the new image, if the image changes. Only for failed rows, because images of issued credentials are
   * not kept.
   */
  imageSha256?: Buffer | null
}

export interface Revocation {
  id: number
  credentialId: string
  /** Null for a credential that is not in the ledger. */
  issuanceId: number | null
  state: RevocationState
  by: string
  why: string
  /** Who requested the correction, and why, if the revocation had been requested before. */
  correctionBy: string | null
  correctionWhy: string | null
  /** The outcome of the call, as classified by src/issuer; null until the first call has ended. */
  outcome: string | null
  status: number | null
  words: string | null
  /** Why an operator should check a revocation that is still open. */
  doubt: string | null
  /** Whether it is part of a correction. */
  corrects: boolean
  /** The issuance that replaces the revoked one, once the correction is carried out. */
  correctedAs: number | null
  /**
   * The end of the call, or its deadline if that was earlier. The service cannot have received the request after this
   * time.
   */
  overAt: Date | null
  /** When the revocation was read, by the database's clock. */
  readAt: Date
}

export const revocationColumns = `id, credential_id AS "credentialId", issuance_id AS "issuanceId", state, by, why,
  correction_by AS "correctionBy", correction_why AS "correctionWhy", outcome, http_status AS status, words, doubt,
  correction IS NOT NULL OR corrected_as IS NOT NULL AS corrects, corrected_as AS "correctedAs",
  CASE WHEN ended_at IS NOT NULL THEN least(ended_at, deadline_at) END AS "overAt", clock_timestamp() AS "readAt"`

/**
 * Changes the revocation if its state is one of `from`, and adds an entry to the issuance's history.
 * @returns whether the revocation was changed
 */
export function step(
  db: Database,
  id: number,
  change: { from: readonly RevocationState[]; set: string; values: readonly unknown[] },
): Promise<boolean> {
  return db.transaction(async (sql) => (await stepWithin(sql, id, change)) !== null)
}

/** Like `step`, but within the caller's transaction. @returns null if the revocation was not changed */
export async function stepWithin(
  sql: Sql,
  id: number,
  change: { from: readonly RevocationState[]; set: string; values: readonly unknown[] },
): Promise<Revocation | null> {
  const { rows } = await sql.query<Revocation>(
    `UPDATE revocation SET ${change.set} WHERE id = $1 AND state = ANY($2) RETURNING ${revocationColumns}`,
    [id, change.from, ...change.values],
  )
  const [now] = rows
  if (now) await recordInHistory(sql, now)
  return now ?? null
}

export async function recordInHistory(
  sql: Sql,
  { id, issuanceId, state, by, why, outcome, words }: Revocation,
): Promise<void> {
  if (issuanceId === null) return
  const hasOutcome = state !== 'wanted' && state !== 'sending'
  const evidence = { revocation: id, ...(state === 'wanted' && { by, why }), ...(hasOutcome && { outcome, words }) }
  await sql.query('INSERT INTO history (issuance_id, event, evidence) VALUES ($1, $2, $3)', [
    issuanceId,
    `revocation ${state.replace('_', ' ')}`,
    JSON.stringify(evidence),
  ])
}
