// A person wants a credential revoked, and perhaps another one in its place.

import type { Sql } from '#src/database/database.ts'
import type { Decision } from './decisions.ts'
import { type Correction, columns, type Revocation, tell } from './revocation.ts'

export interface WantedRevocation {
  credentialId: string
  issuanceId: number | null
  /** Null: nothing takes its place, unless an earlier revocation of it that came to nothing was a correction. */
  correction: Correction | null
  decision: Decision
}

/** `sameData` is false where a correction with other data is under way, or was carried out: then nothing was noted. */
export interface WantedStanding {
  id: number
  standing: 'new' | 'open' | 'joined' | 'corrected already'
  sameData: boolean
}

/**
 * Notes that a person wants a credential revoked. One that is under way is that one; it takes the correction on when it has none yet.
 * A credential that is revoked already is only corrected.
 * @returns what `standing` it found: a correction is left alone where another one is under way, or the credential was corrected before, and
 * `sameData` says whether that one issues the same
 */
export async function wantRevocation(sql: Sql, environment: string, wanted: WantedRevocation): Promise<WantedStanding> {
  const { credentialId, issuanceId, decision, correction } = wanted
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `credsync:revoke:${environment}:${credentialId}`,
  ])
  const { rows } = await sql.query<Revocation & { open: boolean; waits: boolean }>(
    `SELECT ${columns}, state IN ('wanted', 'sending', 'unconfirmed', 'accepted') AS open, correction IS NOT NULL AS waits
     FROM revocation WHERE environment = $1 AND credential_id = $2 ORDER BY id DESC FOR UPDATE`,
    [environment, credentialId],
  )
  const corrected = rows.find((each) => each.correctedAs !== null)
  if (corrected && correction)
    return {
      id: corrected.id,
      standing: 'corrected already',
      sameData: await issuesTheSame(sql, corrected.id, correction),
    }
  const open = rows.find((each) => each.open)
  if (open) {
    if (!correction) return { id: open.id, standing: 'open', sameData: true }
    if (open.waits) return { id: open.id, standing: 'open', sameData: await issuesTheSame(sql, open.id, correction) }
    await sql.query('UPDATE revocation SET correction = $2, changed_fields = $3 WHERE id = $1', [
      open.id,
      ...stored(correction),
    ])
    return { id: open.id, standing: 'joined', sameData: true }
  }
  const { rows: made } = await sql.query<Revocation>(
    `INSERT INTO revocation (environment, credential_id, issuance_id, by, why, correction, changed_fields, state)
     SELECT $1, $2, $3, $4, $5, coalesce($6, last.correction), coalesce($7, last.changed_fields),
            CASE WHEN (SELECT state FROM issuance WHERE id = $3) = 'revoked' THEN 'seen' ELSE 'wanted' END
     FROM (SELECT 1) one LEFT JOIN LATERAL (
       SELECT correction, changed_fields FROM revocation WHERE environment = $1 AND credential_id = $2 AND correction IS NOT NULL ORDER BY id DESC LIMIT 1) last ON true
     RETURNING ${columns}`,
    [
      environment,
      credentialId,
      issuanceId,
      decision.by,
      decision.why,
      ...(correction ? stored(correction) : [null, null]),
    ],
  )
  const revocation = made[0] as Revocation
  await sql.query(
    'UPDATE revocation SET correction = NULL WHERE environment = $1 AND credential_id = $2 AND id <> $3',
    [environment, credentialId, revocation.id],
  )
  await tell(sql, { ...revocation, state: 'wanted' })
  return { id: revocation.id, standing: 'new', sameData: true }
}

/** Of a person who was forgotten since, nobody can tell any more. */
async function issuesTheSame(sql: Sql, revocationId: number, { recipient }: Correction): Promise<boolean> {
  const { rows } = await sql.query<{ same: boolean | null }>(
    `SELECT coalesce(r.correction->'recipient', i.recipient) = $2::jsonb AS same
     FROM revocation r LEFT JOIN issuance i ON i.id = r.corrected_as WHERE r.id = $1`,
    [revocationId, JSON.stringify(recipient)],
  )
  return rows[0]?.same === true
}

function stored({ changedFields, ...correction }: Correction): [string, string] {
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
