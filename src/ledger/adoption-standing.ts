// What the ledger knows of people and report items that are about to be adopted.

import { bytesArray } from '#src/database/binary-array.ts'
import type { Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'
import { type Candidate, findCandidates } from './report.ts'
import { firstSightings } from './scans.ts'

export interface KnownIssuance {
  id: number
  state: State
  /** Whether it was ever sent, or took an item of the report. */
  sent: boolean
  claimed: boolean
  /** Whether it has a credential of its own. */
  credential: boolean
  /** Items of the report that are counted beside it. */
  surplus: number
  /** A person decided about it. */
  decided: boolean
}

export interface AdoptionStanding {
  /** Issuances of the course, by the hex of their key. */
  issuances: ReadonlyMap<string, KnownIssuance>
  /** Items that an issuance has, or that are noted beside one of this course; by key. */
  items: ReadonlyMap<string, 'of this course' | 'of another course'>
  /** Of these items, those that are noted beside an issuance of this course and are nobody's own; its id, by key. */
  beside: ReadonlyMap<string, number>
  /** Rows on their way that have no item yet, of any course: one of the items may be theirs. */
  underWay: readonly Candidate[]
  /** When items were first seen, where they were. */
  firstSeen: ReadonlyMap<string, Date>
}

const onTheWay: readonly State[] = ['pending', 'sending', 'unconfirmed', 'requested', 'in_progress', 'held']

/**
 * @param about.itemKeys with the fingerprints, by which an item is known until it has an entity_uuid
 * @param about.hashes of the people that the items show
 * @param lock a locking clause for the issuances `i`
 */
export async function readStanding(
  sql: Sql,
  environment: string,
  course: string,
  about: { issuanceKeys: readonly Buffer[]; itemKeys: readonly string[]; hashes: readonly Buffer[] },
  lock: '' | 'FOR UPDATE OF i' = '',
): Promise<AdoptionStanding> {
  const { rows: known } = await sql.query<KnownIssuance & { key: Buffer }>(
    `SELECT i.id, i.issuance_key AS key, i.state, i.first_sent_at IS NOT NULL AS sent, EXISTS (SELECT FROM claim c WHERE c.issuance_id = i.id) AS claimed,
            i.decided_at IS NOT NULL AS decided, i.credential_id IS NOT NULL AS credential, i.surplus_items AS surplus
     FROM issuance i WHERE i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = ANY($3::bytea[]) ORDER BY i.id ${lock}`,
    [environment, course, bytesArray(about.issuanceKeys)],
  )
  const { rows: items } = await sql.query<{ key: string; own: boolean; beside: number | null }>(
    `SELECT c.item_key AS key, i.course_uuid = $2 AS own, NULL::bigint AS beside FROM claim c JOIN issuance i ON i.id = c.issuance_id WHERE c.environment = $1 AND c.item_key = ANY($3)
     UNION ALL
     -- Noted beside a row of another course it may still be this one's: courses may be confused as long as their names in the report are not known.
     SELECT s.item_key, true, s.issuance_id FROM surplus_item s JOIN issuance i ON i.id = s.issuance_id WHERE s.environment = $1 AND s.item_key = ANY($3) AND i.course_uuid = $2`,
    [environment, course, about.itemKeys],
  )
  const candidates = await findCandidates(sql, environment, about.hashes, [])
  return {
    issuances: new Map(known.map(({ key, ...each }) => [key.toString('hex'), each])),
    items: new Map(items.map(({ key, own }) => [key, own ? 'of this course' : 'of another course'])),
    beside: new Map(items.flatMap(({ key, beside }) => (beside === null ? [] : [[key, beside] as const]))),
    underWay: candidates.filter((each) => each.claimedKey === null && onTheWay.includes(each.state)),
    firstSeen: await firstSightings(sql, environment, about.itemKeys),
  }
}
