// Finds the credentials that an operator wants to revoke, and the revocations that need an operator's attention. Reads
// the database only.

import type { State } from '#src/domain/credential/state.ts'
import type { Sql } from '#src/platform/database/database.ts'
import type { RowsFromElsewhere } from '../runs/rows-from-elsewhere.ts'
import type { RevocationState } from './revocation.ts'

/** An issuance whose credential may be revoked. */
export interface RevocationTarget {
  issuanceId: number
  credentialId: string | null
  state: State
  pipeline: string
  courseUuid: string
  /** Null once the person's data have been deleted. */
  recipient: Record<string, string> | null
  issuanceKey: Buffer
  /**
   * The time of the repeated completion for which this credential was issued, which is part of its key; null for the
   * first completion.
   */
  occasion: Date | null
  /** Whether an image was sent with it. */
  image: boolean
  issueDate: string | null
  revokedDate: string | null
  /** The issuance that replaced it. */
  correctedBy: number | null
  /** When it entered its current state. */
  stateSince: Date
  /** The state of its last revocation. */
  revocation: RevocationState | null
  /** The number of report items for its person beyond its own. */
  surplusItems: number
  /** Whether a correction is waiting for the revocation of this credential. */
  correctionWaits: boolean
}

/** Finds issuances by their id, or by the credential id that the report shows. Unknown ids are left out. */
export async function revocationTargets(
  sql: Sql,
  environment: string,
  ids: { issuances: readonly number[]; credentials: readonly string[] },
  elsewhere: Pick<RowsFromElsewhere, 'occasions'>,
): Promise<RevocationTarget[]> {
  const { rows } = await sql.query<Omit<RevocationTarget, 'occasion'>>(
    `SELECT i.id AS "issuanceId", i.credential_id AS "credentialId", i.state, i.state_since AS "stateSince", i.pipeline, i.course_uuid AS "courseUuid", i.recipient, i.issuance_key AS "issuanceKey",
            i.image_sha256 IS NOT NULL AS image, i.surplus_items AS "surplusItems", i.issue_date AS "issueDate", i.revoked_date AS "revokedDate",
            (SELECT n.id FROM issuance n WHERE n.corrects = i.id) AS "correctedBy",
            (SELECT r.state FROM revocation r WHERE r.issuance_id = i.id ORDER BY r.id DESC LIMIT 1) AS revocation,
            EXISTS (SELECT FROM revocation r WHERE r.issuance_id = i.id AND r.correction IS NOT NULL) AS "correctionWaits"
     FROM issuance i WHERE i.environment = $1 AND (i.id = ANY($2::bigint[]) OR i.credential_id = ANY($3::text[])) ORDER BY i.id`,
    [environment, ids.issuances, ids.credentials],
  )
  const occasions = await elsewhere.occasions(
    sql,
    rows.map((row) => row.issuanceId),
  )
  return rows.map((row) => ({ ...row, occasion: occasions.get(row.issuanceId) ?? null }))
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
  /** Whether a correction is waiting for this revocation. */
  corrects: boolean
}

/**
 * Returns the last revocation of each credential, if it failed or is in doubt and the credential has not been revoked
 * since. A refusal was already reported when it happened. So it is listed for 30 days only, unless it blocks a
 * correction.
 */
export async function revocationsToDecide(sql: Sql, environment: string): Promise<RevocationToDecide[]> {
  const { rows } = await sql.query<RevocationToDecide>(
    // Only a few revocations have failed or are in doubt, and an index finds them.
    `SELECT r.id, r.credential_id AS "credentialId", r.issuance_id AS "issuanceId", r.state, r.by, r.why, r.wanted_at AS since,
            r.words, r.doubt, r.correction IS NOT NULL AS corrects
     FROM revocation r LEFT JOIN issuance i ON i.id = r.issuance_id
     WHERE $1 IN (r.environment, 'any') AND (r.doubt IS NOT NULL OR r.state IN ('refused', 'not_applied')) AND r.state <> 'seen'
       AND (r.state = 'not_applied' OR r.doubt IS NOT NULL OR r.correction IS NOT NULL OR r.wanted_at > clock_timestamp() - interval '30 days')
       AND i.state IS DISTINCT FROM 'revoked'
       AND NOT EXISTS (SELECT FROM revocation later WHERE later.environment = r.environment AND later.credential_id = r.credential_id AND later.id > r.id)
     ORDER BY since, id`,
    [environment],
  )
  return rows
}
