// One revocation as the ledger keeps it, and its steps. Each leaves a line in the history of the issuance that it is about.

import type { Database, Sql } from '#src/database/database.ts'

/** wanted: nothing has left. accepted: the service said so. seen: the report shows the date. */
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

/** The data of the credential that takes the place of a revoked one. */
export interface Correction {
  recipient: Readonly<Record<string, string>>
  issuanceKey: Buffer
  identityHash: Buffer
  matchHashes: readonly Buffer[]
  /** Names of the fields that differ, never their values. */
  changedFields: readonly string[]
  /** SHA-256 of the image that goes in place of the one before, where another one does. Of a failed row only: those of credentials are not kept. */
  imageSha256?: Buffer | null
}

export interface Revocation {
  id: number
  credentialId: string
  /** Null for a credential that the ledger does not know. */
  issuanceId: number | null
  state: RevocationState
  by: string
  why: string
  /** What became of the call, as src/issuer classifies it; null while none has ended. */
  outcome: string | null
  status: number | null
  words: string | null
  /** Why a person should look at one that is still open. */
  doubt: string | null
  corrects: boolean
  correctedAs: number | null
  /** End of the call, or its deadline where that came first: the service can't have heard of it later. */
  overAt: Date | null
  /** Now, on the database's clock. */
  readAt: Date
}

export const columns = `id, credential_id AS "credentialId", issuance_id AS "issuanceId", state, by, why, outcome, http_status AS status, words, doubt,
  correction IS NOT NULL OR corrected_as IS NOT NULL AS corrects, corrected_as AS "correctedAs",
  CASE WHEN ended_at IS NOT NULL THEN least(ended_at, deadline_at) END AS "overAt", clock_timestamp() AS "readAt"`

/** One step, and its line in the issuance's history. @returns whether it was taken */
export function step(
  db: Database,
  id: number,
  of: { from: readonly RevocationState[]; set: string; values: readonly unknown[] },
): Promise<boolean> {
  return db.transaction(async (sql) => {
    const { rows } = await sql.query<Revocation>(
      `UPDATE revocation SET ${of.set} WHERE id = $1 AND state = ANY($2) RETURNING ${columns}`,
      [id, of.from, ...of.values],
    )
    const [now] = rows
    if (now) await tell(sql, now)
    return now !== undefined
  })
}

export async function tell(sql: Sql, { id, issuanceId, state, by, why, outcome, words }: Revocation): Promise<void> {
  if (issuanceId === null) return
  const called = state !== 'wanted' && state !== 'sending'
  const evidence = { revocation: id, ...(state === 'wanted' && { by, why }), ...(called && { outcome, words }) }
  await sql.query('INSERT INTO history (issuance_id, event, evidence) VALUES ($1, $2, $3)', [
    issuanceId,
    `revocation ${state.replace('_', ' ')}`,
    JSON.stringify(evidence),
  ])
}
