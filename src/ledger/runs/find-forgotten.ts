// Finds which rows of a list are about people of the course who were forgotten, in the same way for a publication and
// for a dry run. Reads the database only.

import { identifiersInCells, tracesOf } from '#src/domain/credential/erased-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import {
  type ForgottenIssuance,
  type Recognition,
  recognizeForgotten,
  recognizeInInvalidRow,
} from '#src/domain/credential/recognize-forgotten.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import { bytesArray, intArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { hashedNames } from '../forgotten-people.ts'

export interface ForgottenScope {
  environment: string
  course: string
  rule: PersonComparison
  hasher: Hasher
}

/** A row of a list, valid if it has a key. */
export interface RowOfList {
  cells: readonly string[]
  recipient: Readonly<Record<string, string>> | null
  issuanceKey: Buffer | null
  identityHash: Buffer | null
  /** Whether it is a completion that renews an earlier one. */
  isRenewal?: boolean
}

/** Whether anybody was forgotten whose issuance is of the course. If not, no row needs to be looked at. */
export async function hasForgotten(sql: Sql, { environment, course }: Omit<ForgottenScope, 'rule' | 'hasher'>) {
  const { rows } = await sql.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT FROM erased_issuance WHERE environment = $1 AND course_uuid = $2) AS any',
    [environment, course],
  )
  return rows[0]?.any === true
}

/** @returns what is recognized for each row, in order */
export async function findForgotten(
  sql: Sql,
  scope: ForgottenScope,
  rows: readonly RowOfList[],
): Promise<Recognition[]> {
  const { rule, hasher } = scope
  const knownKeys = await issuancesByKey(sql, scope, rows)
  // A row of anybody who is known, and was not forgotten, is skipped in any case. In most lists that is nearly everybody,
  // and hashing them would take longer than all the rest.
  const isKnown = (at: number) => knownKeys.get(at)?.isForgotten === false
  const traces = rows.map(({ issuanceKey, recipient }, at) =>
    issuanceKey && recipient && !isKnown(at) ? tracesOf(recipient, rule, hasher) : null,
  )
  const identifiers = rows.flatMap((row, at) => {
    if (knownKeys.has(at)) return []
    return (traces[at]?.identifiers ?? identifiersInCells(row.cells, hasher)).map((hash) => ({ at, hash }))
  })
  const identities = rows.flatMap(({ identityHash: hash }, at) => (hash && !knownKeys.has(at) ? [{ at, hash }] : []))
  const matches = Map.groupBy(await issuancesByHash(sql, scope, { identifiers, identities }), ({ at }) => at)
  const keyIds = [...knownKeys.values()].flatMap(({ id, isForgotten }) => (isForgotten ? [id] : []))
  const ids = [...keyIds, ...[...matches.values()].flat().map(({ id }) => id)]
  const forgotten = await forgottenIssuances(sql, ids)
  const issuancesOf = (found: readonly { id: number }[]) => found.flatMap(({ id }) => forgotten.get(id) ?? [])
  return rows.map((row, at): Recognition => {
    const ofRow = traces[at]
    const { identityHash, isRenewal = false } = row
    if (isKnown(at)) return { kind: 'other' }
    const hasNameFields = rule.nameFields.length > 0
    const about = { identityFields: rule.identity, occurrenceFields: rule.occurrence, identityHash, hasNameFields }
    if (!ofRow) {
      const matched = issuancesOf(matches.get(at) ?? [])
      const as = matched.length > 0 ? recognizeInInvalidRow({ ...about, cells: row.cells }, matched, hasher) : null
      return as === null ? { kind: 'other' } : { kind: 'forgotten', as }
    }
    const known = knownKeys.get(at)
    const found = issuancesOf(known ? [known] : (matches.get(at) ?? []))
    return recognizeForgotten({ ...about, traces: ofRow, keyOf: known?.id ?? null, isRenewal }, found)
  })
}

/** The issuances with the keys of the rows, by the position of the row. */
async function issuancesByKey(sql: Sql, { environment, course }: ForgottenScope, rows: readonly RowOfList[]) {
  const { rows: known } = await sql.query<{ at: number; id: number; isForgotten: boolean }>(
    `SELECT r.at::int - 1 AS at, i.id, EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = i.id) AS "isForgotten"
     FROM unnest($3::bytea[]) WITH ORDINALITY r(issuance_key, at)
     JOIN issuance i ON i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = r.issuance_key`,
    [environment, course, bytesArray(rows.map(({ issuanceKey }) => issuanceKey))],
  )
  return new Map(known.map(({ at, ...issuance }) => [at, issuance]))
}

type HashOfRow = { at: number; hash: Buffer }

/** The forgotten issuances of the course with an identifier of a row, or with its identity. */
async function issuancesByHash(
  sql: Sql,
  { environment, course }: ForgottenScope,
  { identifiers, identities }: { identifiers: readonly HashOfRow[]; identities: readonly HashOfRow[] },
): Promise<{ at: number; id: number }[]> {
  if (identifiers.length + identities.length === 0) return []
  const arraysOf = (hashes: readonly HashOfRow[]) => [
    intArray(hashes.map(({ at }) => at)),
    bytesArray(hashes.map(({ hash }) => hash)),
  ]
  const { rows } = await sql.query<{ at: number; id: number }>(
    `SELECT DISTINCT f.at, i.id FROM (
       SELECT r.at, e.issuance_id FROM unnest($3::int[], $4::bytea[]) r(at, hash) JOIN erased_identifier e ON e.hash = r.hash
       UNION ALL SELECT r.at, e.issuance_id FROM unnest($5::int[], $6::bytea[]) r(at, hash) JOIN issuance_identity n ON n.identity_hash = r.hash
         JOIN erased_issuance e ON e.issuance_id = n.issuance_id) f
     JOIN issuance i ON i.id = f.issuance_id AND i.environment = $1 AND i.course_uuid = $2 ORDER BY f.at, i.id DESC`,
    [environment, course, ...arraysOf(identifiers), ...arraysOf(identities)],
  )
  return rows
}

/** What is kept of these issuances. */
async function forgottenIssuances(sql: Sql, ids: readonly number[]): Promise<Map<number, ForgottenIssuance>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql.query<ForgottenIssuance>(
    `SELECT i.id, erasure.kind, e.identity_fields AS "identityFields", i.identity_hash AS "identityHash", e.occurrence_fields AS "occurrenceFields",
            e.occurrence_hash AS occurrence, ${hashedNames('i.id')} AS names
     FROM unnest($1::bigint[]) f(id) JOIN issuance i ON i.id = f.id JOIN erased_issuance e ON e.issuance_id = i.id JOIN erasure ON erasure.id = e.erasure_id`,
    [[...new Set(ids)]],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
