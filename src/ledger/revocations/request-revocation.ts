// Records an operator's request to revoke a credential, and optionally to replace it by another one. Writes to the
// database within the caller's transaction.

import type { Sql } from '#src/platform/database/database.ts'
import { refuseForgotten } from '../forgotten-people.ts'
import { asSeen, type OperatorDecision, RowMovedError } from '../operator-decision.ts'
import { type Correction, type Revocation, recordInHistory, revocationColumns } from './revocation.ts'

export interface RequestedRevocation {
  credentialId: string
  issuanceId: number | null
  /**
   * Null if the request does not replace the credential. The correction of an earlier revocation that failed is then
   * kept.
   */
  correction: Correction | null
  decision: OperatorDecision
  /**
   * What the page showed, if a person decided on a page. `revocation` is the id of the credential's last revocation.
   */
  seen?: { stateSince: Date | null; revocation: number | null }
}

/**
 * `sameData` is false if a correction with different data is open or was carried out. In that case, nothing was
 * recorded.
 */
export interface RequestStatus {
  id: number
  status: 'new' | 'open' | 'joined' | 'corrected already'
  sameData: boolean
}

/**
 * Records the request. If there is an open revocation, it is used. The correction is added to it as a separate
 * decision, unless it already has one. If the credential is already revoked, only the correction is carried out.
 * @returns the revocation that was created or found. If another correction is open or was carried out, it is not
 * changed, and `sameData` is true if it issues the same data
 * @throws ForgottenError for a correction, if the person was forgotten
 * @throws RowMovedError if something would be recorded, but the credential has changed since the person saw it
 */
export async function requestRevocation(
  sql: Sql,
  environment: string,
  wanted: RequestedRevocation,
): Promise<RequestStatus> {
  const { credentialId, issuanceId, decision, correction } = wanted
  if (correction && issuanceId !== null) await refuseForgotten(sql, issuanceId)
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `credsync:revoke:${environment}:${credentialId}`,
  ])
  const { rows } = await sql.query<Revocation & { open: boolean; waits: boolean }>(
    `SELECT ${revocationColumns}, state IN ('wanted', 'sending', 'unconfirmed', 'accepted') AS open, correction IS NOT NULL AS waits
     FROM revocation WHERE environment = $1 AND credential_id = $2 FOR UPDATE`,
    [environment, credentialId],
  )
  const correctedRevocation = rows.find((row) => row.correctedAs !== null)
  if (correctedRevocation && correction)
    return {
      id: correctedRevocation.id,
      status: 'corrected already',
      sameData: await issuesTheSame(sql, correctedRevocation.id, correction),
    }
  const openRevocation = rows.find((row) => row.open)
  if (openRevocation) {
    if (!correction) return { id: openRevocation.id, status: 'open', sameData: true }
    if (openRevocation.waits)
      return {
        id: openRevocation.id,
        status: 'open',
        sameData: await issuesTheSame(sql, openRevocation.id, correction),
      }
    await refuseIfMoved(sql, wanted, openRevocation.id)
    await addCorrection(sql, openRevocation.id, correction, decision)
    return { id: openRevocation.id, status: 'joined', sameData: true }
  }
  await refuseIfMoved(sql, wanted, rows.reduce((last, { id }) => Math.max(last, id), 0) || null)
  const { rows: inserted } = await sql.query<Revocation>(
    `INSERT INTO revocation (environment, credential_id, issuance_id, by, why, correction, changed_fields, correction_by, correction_why, state)
     SELECT $1, $2, $3, $4, $5, coalesce($6, last.correction), coalesce($7, last.changed_fields),
            coalesce(last.correction_by, last.by), coalesce(last.correction_why, last.why),
            CASE WHEN (SELECT state FROM issuance WHERE id = $3) = 'revoked' THEN 'seen' ELSE 'wanted' END
     FROM (SELECT 1) one LEFT JOIN LATERAL (
       SELECT correction, changed_fields, correction_by, correction_why, by, why
       FROM revocation WHERE environment = $1 AND credential_id = $2 ORDER BY id DESC LIMIT 1) last ON $6::jsonb IS NULL AND last.correction IS NOT NULL
     RETURNING ${revocationColumns}`,
    [
      environment,
      credentialId,
      issuanceId,
      decision.by,
      decision.why,
      ...(correction ? correctionColumns(correction) : [null, null]),
    ],
  )
  const revocation = inserted[0] as Revocation
  await sql.query(
    'UPDATE revocation SET correction = NULL WHERE environment = $1 AND credential_id = $2 AND id <> $3',
    [environment, credentialId, revocation.id],
  )
  await recordInHistory(sql, { ...revocation, state: 'wanted' })
  return { id: revocation.id, status: 'new', sameData: true }
}

/** Adds a correction to a revocation that was requested earlier, perhaps by someone else. */
async function addCorrection(
  sql: Sql,
  revocationId: number,
  correction: Correction,
  { by, why }: OperatorDecision,
): Promise<void> {
  const evidence = { revocation: revocationId, by, why, fields: correction.changedFields.join(', ') }
  await sql.query(
    `WITH corrected AS (
       UPDATE revocation SET correction = $2, changed_fields = $3, correction_by = $4, correction_why = $5, correction_at = clock_timestamp()
       WHERE id = $1 RETURNING issuance_id)
     INSERT INTO history (issuance_id, event, evidence) SELECT issuance_id, 'correction wanted', $6 FROM corrected`,
    [revocationId, ...correctionColumns(correction), by, why, JSON.stringify(evidence)],
  )
}

async function refuseIfMoved(
  sql: Sql,
  { credentialId, issuanceId, seen }: RequestedRevocation,
  last: number | null,
): Promise<void> {
  if (!seen) return
  const { rowCount } = await sql.query(
    `SELECT WHERE $1::bigint IS NULL OR EXISTS (SELECT FROM issuance WHERE id = $1 AND ${asSeen('state_since')} = $2)`,
    [issuanceId, seen.stateSince],
  )
  if (rowCount === 0 || seen.revocation !== last) throw new RowMovedError(issuanceId ?? credentialId)
}

/** Returns whether a revocation's correction issues the same data. Returns false if the person's data were deleted. */
async function issuesTheSame(sql: Sql, revocationId: number, { recipient }: Correction): Promise<boolean> {
  const { rows } = await sql.query<{ same: boolean | null }>(
    `SELECT coalesce(r.correction->'recipient', i.recipient) = $2::jsonb AS same
     FROM revocation r LEFT JOIN issuance i ON i.id = r.corrected_as WHERE r.id = $1`,
    [revocationId, JSON.stringify(recipient)],
  )
  return rows[0]?.same === true
}

function correctionColumns({ changedFields, ...correction }: Correction): [string, string] {
  const hex = (hash: Buffer) => hash.toString('hex')
  const { recipient, issuanceKey, identityHash, matchHashes } = correction
  return [
    JSON.stringify({
      recipient,
      issuanceKey: hex(issuanceKey),
      identityHash: hex(identityHash),
      matchHashes: matchHashes.map(hex),
    }),
    JSON.stringify(changedFields),
  ]
}
