// Reads the issuances that a page of the report is about, and writes what the page shows to the database within the
// caller's transaction: claims of items, the resulting states, and surplus items.

import type { State } from '#src/domain/credential/state.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf, lookUpEach } from '#src/platform/database/index-lookups.ts'

/** An issuance that a report item may belong to. */
export interface Candidate {
  id: number
  state: State
  courseUuid: string
  /** In hexadecimal form. */
  matchHashes: string[]
  recipient: Record<string, string> | null
  firstSentAt: Date
  lastSentAt: Date
  /** The outcome of its last call; null while the call is in progress. */
  lastOutcome: string | null
  /** The key of the report item that it has claimed. */
  claimedKey: string | null
  /** When an operator last decided about it. */
  decidedAt: Date | null
  /** The number of report items for its person beyond its own. */
  surplusItems: number
  certificateName: string | null
  /** What the report has shown of its credential so far. */
  shown: ReportFields
}

/**
 * Finds every issuance that has ever been sent for the people with these hashes, and the issuances that have claimed
 * these item keys, whatever the items show now.
 */
export async function findCandidates(
  sql: Sql,
  environment: string,
  hashes: readonly Buffer[],
  keys: readonly string[],
): Promise<Candidate[]> {
  const { rows } = await sql.query<Candidate>(
    `SELECT i.id, i.state, i.course_uuid AS "courseUuid", ARRAY(SELECT encode(m.hash, 'hex') FROM issuance_match m WHERE m.issuance_id = i.id) AS "matchHashes", i.recipient,
            i.first_sent_at AS "firstSentAt", i.last_sent_at AS "lastSentAt", a.outcome AS "lastOutcome", c.item_key AS "claimedKey", i.decided_at AS "decidedAt", i.surplus_items AS "surplusItems", coalesce(i.adopted_as, course.certificate_name) AS "certificateName",
            json_build_object('reportStatus', i.report_status, 'entityUuid', i.entity_uuid, 'credentialId', i.credential_id, 'verifierLink', i.verifier_link,
              'issueDate', i.issue_date, 'validTill', i.valid_till, 'revokedDate', i.revoked_date) AS shown
     FROM (SELECT * FROM issuance WHERE id = ANY(
             ARRAY(SELECT issuance_id FROM issuance_match WHERE hash = ${eachOf('$2', 'bytea')})
             || ARRAY(SELECT k.issuance_id FROM ${lookUpEach('$3', 'text', 'report_claim', 'environment = $1 AND item_key = wanted.key')} k)) OFFSET 0) i
     LEFT JOIN LATERAL (SELECT item_key FROM report_claim WHERE issuance_id = i.id OFFSET 0) c ON true
     LEFT JOIN LATERAL (SELECT outcome FROM attempt WHERE id = i.attempt_id OFFSET 0) a ON true
     LEFT JOIN course ON course.environment = i.environment AND course.course_uuid = i.course_uuid
     WHERE i.environment = $1 AND i.first_sent_at IS NOT NULL`,
    [environment, hashes, keys],
  )
  return rows
}

/** Returns the id of the issuance that has claimed each item, by item key. */
export async function findReportClaims(
  sql: Sql,
  environment: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ key: string; id: number }>(
    `SELECT k.item_key AS key, k.issuance_id AS id FROM ${lookUpEach('$2', 'text', 'report_claim', 'environment = $1 AND item_key = wanted.key')} k`,
    [environment, keys],
  )
  return new Map(rows.map((row) => [row.key, row.id]))
}

export interface NewReportClaim {
  issuanceId: number
  /** The state on which the decision was based. */
  state: State
  key: string
  fingerprint: string
}

/**
 * Claims report items. The caller must have locked their issuances. A claim is left out if the item or the issuance
 * already has one, or if the issuance has left the state on which the decision was based. For example, it may have been
 * sent again. The next scan of the report then decides.
 * @returns the ids of the issuances whose claim was stored
 */
export async function claimReportItems(
  sql: Sql,
  environment: string,
  claims: readonly NewReportClaim[],
): Promise<Set<number>> {
  if (claims.length === 0) return new Set()
  const { rows } = await sql.query<{ id: number }>(
    `INSERT INTO report_claim (environment, issuance_id, item_key, fingerprint)
     SELECT $1, c.id, c.key, c.fingerprint FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) AS c(id, key, fingerprint, state)
     CROSS JOIN LATERAL (SELECT state FROM issuance WHERE id = c.id OFFSET 0) i WHERE i.state = c.state
     ON CONFLICT DO NOTHING RETURNING issuance_id AS id`,
    [
      environment,
      claims.map((claim) => claim.issuanceId),
      claims.map((claim) => claim.key),
      claims.map((claim) => claim.fingerprint),
      claims.map((claim) => claim.state),
    ],
  )
  return new Set(rows.map((row) => row.id))
}

/**
 * Marks every call with one of these issuances as received by the service, because the report shows one of its rows.
 */
export async function noteShown(sql: Sql, issuanceIds: readonly number[]): Promise<void> {
  if (issuanceIds.length === 0) return
  await sql.query(
    `UPDATE attempt SET shown_at = clock_timestamp() WHERE shown_at IS NULL AND id = ANY(ARRAY(
       SELECT DISTINCT attempt_id FROM attempt_item WHERE issuance_id = ${eachOf('$1')}))`,
    [issuanceIds],
  )
}

/** Replaces the fingerprint of a claimed item by the entity_uuid, once the item has one. */
export async function upgradeReportClaim(sql: Sql, environment: string, from: string, to: string): Promise<void> {
  await sql.query('UPDATE report_claim SET item_key = $3 WHERE environment = $1 AND item_key = $2', [
    environment,
    from,
    to,
  ])
}

/** What the report shows of a credential. A field is null if the report does not show it (yet). */
export interface ReportFields {
  reportStatus: string | null
  entityUuid: string | null
  credentialId: string | null
  verifierLink: string | null
  issueDate: string | null
  validTill: string | null
  revokedDate: string | null
}

/**
 * Counts further report items of issuances, each once, and adds them to the history. Nothing is revoked automatically.
 * @returns the ids of the issuances whose count has changed
 */
export async function noteSurplus(
  sql: Sql,
  environment: string,
  surplus: readonly { issuanceId: number; key: string; fingerprint: string }[],
): Promise<number[]> {
  if (surplus.length === 0) return []
  await renameSurplus(sql, environment, surplus)
  const { rows } = await sql.query<{ id: number }>(
    `WITH fresh AS (
       INSERT INTO surplus_item (environment, item_key, issuance_id) SELECT $1, * FROM unnest($2::text[], $3::bigint[]) ON CONFLICT DO NOTHING
       RETURNING issuance_id, item_key),
     noted AS (
       INSERT INTO history (issuance_id, event, evidence) SELECT issuance_id, 'a second report item for this person', jsonb_build_object('item', item_key) FROM fresh)
     UPDATE issuance i SET surplus_items = i.surplus_items + n.items
     FROM (SELECT issuance_id, count(*) AS items FROM fresh GROUP BY issuance_id) n WHERE i.id = n.issuance_id RETURNING i.id`,
    [environment, surplus.map((each) => each.key), surplus.map((each) => each.issuanceId)],
  )
  return rows.map((row) => row.id)
}

/**
 * Replaces the fingerprint of a counted item by the entity_uuid, once the item has one, so that it is not counted
 * twice.
 */
async function renameSurplus(
  sql: Sql,
  environment: string,
  surplus: readonly { key: string; fingerprint: string }[],
): Promise<void> {
  await sql.query(
    `UPDATE surplus_item s SET item_key = u.key FROM unnest($2::text[], $3::text[]) AS u(fingerprint, key)
     WHERE s.environment = $1 AND s.item_key = u.fingerprint
       AND NOT EXISTS (SELECT FROM surplus_item t WHERE t.environment = $1 AND t.item_key = u.key)`,
    [environment, surplus.map((each) => each.fingerprint), surplus.map((each) => each.key)],
  )
}

/**
 * Stores the report's name for a course, unless it is already known. The caller takes the name from claimed items that
 * agree. From then on, the name distinguishes this course from others. A name that belongs to another course is
 * ignored.
 */
export async function learnCertificateName(
  sql: Sql,
  environment: string,
  courseUuid: string,
  name: string,
): Promise<void> {
  await sql.query(
    `INSERT INTO course (environment, course_uuid, certificate_name)
     SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM course WHERE environment = $1 AND certificate_name = $3)
     ON CONFLICT (environment, course_uuid) DO UPDATE SET certificate_name = coalesce(course.certificate_name, excluded.certificate_name)`,
    [environment, courseUuid, name],
  )
}
