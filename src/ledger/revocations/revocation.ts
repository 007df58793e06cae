// A revocation as stored in the ledger, and its steps. Writes each step to the database, with a line in the history of
// the issuance.

import type { Database, Sql } from '#src/platform/database/database.ts'

/** wanted: not sent yet. accepted: the service has confirmed it. seen: the report shows the date of the revocation. */
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

/** Whether it may still have its effect, so that the same credential is not asked for again. */
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
   * SHA-256 of the new image, if the image changes. For failed rows only: images of issued credentials are not kept.
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
  /** Who wanted the correction, and why, if someone had requested the revocation before. */
  correctionBy: string | null
  correctionWhy: string | null
  /** Outcome of the call, as src/issuer classifies it; null until the first call has ended. */
  outcome: string | null
  status: number | null
  words: string | null
  /** Why an operator should check a revocation that is still open. */
  doubt: string | null
  /** Whether it is part of a correction. */
  corrects: boolean
  /** The issuance that replaces the revoked one, once the correction is carried out. */
  correctedAs: number | null
  /** End of the call, or its deadline if that was earlier: the service cannot have received the request later. */
  overAt: Date | null
  /** Time of the query that read this, by the database's clock. */
  readAt: Date
}

export const revocationColumns = `id, credential_id AS "credentialId", issuance_id AS "issuanceId", state, by, why,
  correction_by AS "correctionBy", correction_why AS "correctionWhy", outcome, http_status AS status, words, doubt,
  correction IS NOT NULL OR corrected_as IS NOT NULL AS corrects, corrected_as AS "correctedAs",
  CASE WHEN ended_at IS NOT NULL THEN least(ended_at, deadline_at) END AS "overAt", clock_timestamp() AS "readAt"`

/**
 * Takes one step if the revocation's state is one of `from`, and adds a line to the issuance's history.
 * @returns whether the step was taken
 */
export function step(
  db: Database,
  id: number,
  change: { from: readonly RevocationState[]; set: string; values: readonly unknown[] },
): Promise<boolean> {
  return db.transaction(async (sql) => (await stepWithin(sql, id, change)) !== null)
}

/** Like `step`, but within the caller's transaction. @returns null if the step was not taken */
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
