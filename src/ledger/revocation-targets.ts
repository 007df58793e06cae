// Which credentials a person means to revoke, and which revocations a person has to look at.

import type { Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'
import type { RevocationState } from './revocation.ts'

/** A credential of the ledger. */
export interface RevocationTarget {
  issuanceId: number
  credentialId: string | null
  state: State
  pipeline: string
  courseUuid: string
  /** Null once the person was forgotten. */
  recipient: Record<string, string> | null
  issuanceKey: Buffer
  /** Whether an image travelled with it. */
  image: boolean
  issueDate: string | null
  revokedDate: string | null
  /** The issuance that took its place. */
  correctedBy: number | null
  /** Where its last revocation stands. */
  revocation: RevocationState | null
  /** Items of the report for its person beyond the one that was asked for. */
  surplusItems: number
  /** A correction of it waits for the revocation. */
  correctionWaits: boolean
}

/** By issuance ids, or by credential ids as the report shows them. An unknown one is left out. */
export async function revocationTargets(
  sql: Sql,
  environment: string,
  of: { issuances: readonly number[]; credentials: readonly string[] },
): Promise<RevocationTarget[]> {
  const { rows } = await sql.query<RevocationTarget>(
    `SELECT i.id AS "issuanceId", i.credential_id AS "credentialId", i.state, i.pipeline, i.course_uuid AS "courseUuid", i.recipient, i.issuance_key AS "issuanceKey",
            i.image_sha256 IS NOT NULL AS image, i.surplus_items AS "surplusItems", i.issue_date AS "issueDate", i.revoked_date AS "revokedDate",
            (SELECT n.id FROM issuance n WHERE n.corrects = i.id) AS "correctedBy",
            (SELECT r.state FROM revocation r WHERE r.issuance_id = i.id ORDER BY r.id DESC LIMIT 1) AS revocation,
            EXISTS (SELECT FROM revocation r WHERE r.issuance_id = i.id AND r.correction IS NOT NULL) AS "correctionWaits"
     FROM issuance i WHERE i.environment = $1 AND (i.id = ANY($2::bigint[]) OR i.credential_id = ANY($3::text[])) ORDER BY i.id`,
    [environment, of.issuances, of.credentials],
  )
  return rows
}

export interface RevocationToDecide {
  id: number
  credentialId: string
  issuanceId: number | null
  state: RevocationState
  by: string
  why: string
  since: Date
  words: string | null
  doubt: string | null
  /** It was the first half of a correction, whose second half waits. */
  corrects: boolean
}

/**
 * The last revocation of each credential, where it came to nothing or is in doubt, unless the credential is revoked by now. A refusal
 * was told to whoever asked for it; it stays here for a month, for those that a worker carried out.
 */
export async function revocationsToDecide(sql: Sql, environment: string): Promise<RevocationToDecide[]> {
  const { rows } = await sql.query<RevocationToDecide>(
    `SELECT * FROM (
       SELECT DISTINCT ON (r.environment, r.credential_id) r.id, r.credential_id AS "credentialId", r.issuance_id AS "issuanceId", r.state, r.by, r.why, r.wanted_at AS since,
              r.words, r.doubt, r.correction IS NOT NULL AS corrects, i.state AS standing
       FROM revocation r LEFT JOIN issuance i ON i.id = r.issuance_id
       WHERE $1 IN (r.environment, 'any') ORDER BY r.environment, r.credential_id, r.id DESC) last
     WHERE standing IS DISTINCT FROM 'revoked'
       AND (state = 'not_applied' OR doubt IS NOT NULL OR (state = 'refused' AND (corrects OR since > clock_timestamp() - interval '30 days')))
       AND state <> 'seen'
     ORDER BY since, id`,
    [environment],
  )
  return rows
}
