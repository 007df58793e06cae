// Reads what the ledger knows about the people and the report items that are about to be adopted.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import type { State } from '#src/domain/credential/state.ts'
import { bytesArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { findForgotten, hasForgotten } from '../runs/skip-forgotten.ts'
import { type Candidate, findCandidates } from './report-items.ts'
import { firstSightings } from './scans.ts'

export interface KnownIssuance {
  id: number
  state: State
  /** Whether the issuance has ever been sent. */
  sent: boolean
  /** Whether it has claimed a report item. */
  claimed: boolean
  /** Whether it has a credential. */
  credential: boolean
  /** The number of its surplus items. */
  surplus: number
  /** Whether an operator has decided about it. */
  decided: boolean
}

export interface KnownForAdoption {
  /** Issuances of the course, by their key in hex. */
  issuances: ReadonlyMap<string, KnownIssuance>
  /** Items that an issuance has claimed or that are surplus of an issuance of this course, by item key. */
  items: ReadonlyMap<string, 'of this course' | 'of another course'>
  /** The ids of issuances of this course, by the keys of their surplus items. */
  surplusOwners: ReadonlyMap<string, number>
  /** Open and held rows of any course that have no item yet, because one of the items may belong to them. */
  underWay: readonly Candidate[]
  /** When each item was first seen, by item key. */
  firstSeen: ReadonlyMap<string, Date>
  /** Which of the new people were or may have been forgotten, by the issuance key in hexadecimal. */
  forgotten: ReadonlyMap<string, ForgottenInReport>
}

export interface ForgottenInReport {
  kind: 'forgotten' | 'known' | 'unclear'
  /** Null if the person had no issuance. */
  issuance: number | null
  day: string
}

/** The keys and people that are looked up for an adoption. */
export interface AdoptionSubjects {
  issuanceKeys: readonly Buffer[]
  /** May include fingerprints, which identify an item until it has an entity_uuid. */
  itemKeys: readonly string[]
  /** Match hashes of the people that the items show. */
  hashes: readonly Buffer[]
  people?: readonly ReportedPerson[]
  /** The fields by which the people are compared with those who were forgotten. */
  comparison?: PersonComparison
}

export interface ReportedPerson {
  recipient: Readonly<Record<string, string>>
  issuanceKey: Buffer
  identityHash: Buffer
}

const unresolved: readonly State[] = ['pending', 'sending', 'unconfirmed', 'requested', 'in_progress', 'held']

/** @param options.lock a locking clause for the issuances `i` */
export async function readKnownForAdoption(
  sql: Sql,
  environment: string,
  course: string,
  subjects: AdoptionSubjects,
  { hasher, lock = '' }: { hasher: Hasher; lock?: '' | 'FOR UPDATE OF i' },
): Promise<KnownForAdoption> {
  const { rows: known } = await sql.query<KnownIssuance & { key: Buffer }>(
    `SELECT i.id, i.issuance_key AS key, i.state, i.first_sent_at IS NOT NULL AS sent, EXISTS (SELECT FROM report_claim c WHERE c.issuance_id = i.id) AS claimed,
            i.decided_at IS NOT NULL AS decided, i.credential_id IS NOT NULL AS credential, i.surplus_items AS surplus
     FROM issuance i WHERE i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = ANY($3::bytea[]) ORDER BY i.id ${lock}`,
    [environment, course, bytesArray(subjects.issuanceKeys)],
  )
  const { rows: items } = await sql.query<{ key: string; own: boolean; beside: number | null }>(
    `SELECT c.item_key AS key, i.course_uuid = $2 AS own, NULL::bigint AS beside FROM report_claim c JOIN issuance i ON i.id = c.issuance_id WHERE c.environment = $1 AND c.item_key = ANY($3)
     UNION ALL
     -- An item that is surplus of another course's row may still belong to this course: courses can be confused as long as their names in the report are unknown.
     SELECT s.item_key, true, s.issuance_id FROM surplus_item s JOIN issuance i ON i.id = s.issuance_id WHERE s.environment = $1 AND s.item_key = ANY($3) AND i.course_uuid = $2`,
    [environment, course, subjects.itemKeys],
  )
  const candidates = await findCandidates(sql, environment, subjects.hashes, [])
  return {
    issuances: new Map(known.map(({ key, ...each }) => [key.toString('hex'), each])),
    items: new Map(items.map(({ key, own }) => [key, own ? 'of this course' : 'of another course'])),
    surplusOwners: new Map(items.flatMap(({ key, beside }) => (beside === null ? [] : [[key, beside] as const]))),
    underWay: candidates.filter((candidate) => candidate.claimedKey === null && unresolved.includes(candidate.state)),
    firstSeen: await firstSightings(sql, environment, subjects.itemKeys),
    forgotten: await forgottenInReport(sql, { environment, course, hasher }, subjects),
  }
}

/**
 * Finds forgotten people among those in the report. They are recognized by their hashes, as in a list, no matter who
 * issued the credential.
 */
async function forgottenInReport(
  sql: Sql,
  scope: { environment: string; course: string; hasher: Hasher },
  { people = [], comparison }: AdoptionSubjects,
): Promise<Map<string, ForgottenInReport>> {
  const found = new Map<string, ForgottenInReport>()
  if (!comparison || people.length === 0 || !(await hasForgotten(sql, scope))) return found
  const rows = people.map((person) => ({ ...person, cells: [] }))
  const recognized = await findForgotten(sql, { ...scope, rule: comparison }, rows)
  for (const [at, each] of recognized.entries()) {
    if (each.kind === 'other') continue
    const { issuance, day } = each.as
    found.set(rows[at]?.issuanceKey.toString('hex') ?? '', { kind: each.kind, issuance, day })
  }
  return found
}
