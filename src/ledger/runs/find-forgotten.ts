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
    `SELECT EXISTS (SELECT FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id WHERE i.environment = $1 AND i.course_uuid = $2) AS any`,
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
  const traces = rows.map(({ issuanceKey, recipient }) =>
    issuanceKey && recipient ? tracesOf(recipient, rule, hasher) : null,
  )
  const knownKeys = await issuancesByKey(sql, scope, rows)
  const identifiers = rows.flatMap((row, at) => {
    if (knownKeys.has(at)) return []
    return (traces[at]?.identifiers ?? identifiersInCells(row.cells, hasher)).map((hash) => ({ at, hash }))
  })
  const matches = Map.groupBy(await issuancesByIdentifier(sql, scope, identifiers), ({ at }) => at)
  const keyIds = [...knownKeys.values()].flatMap(({ id, isForgotten }) => (isForgotten ? [id] : []))
  const ids = [...keyIds, ...[...matches.values()].flat().map(({ id }) => id)]
  const forgotten = await forgottenIssuances(sql, ids)
  const issuancesOf = (found: readonly { id: number }[]) => found.flatMap(({ id }) => forgotten.get(id) ?? [])
  return rows.map((row, at): Recognition => {
    const ofRow = traces[at]
    const { identityHash, isRenewal = false } = row
    const about = { identityFields: rule.identity, identityHash, hasNameFields: rule.nameFields.length > 0 }
    if (!ofRow) {
      const matched = issuancesOf(matches.get(at) ?? [])
      const as = matched.length > 0 ? recognizeInInvalidRow({ ...about, cells: row.cells }, matched, hasher) : null
      return as === null ? { kind: 'other' } : { kind: 'forgotten', as }
    }
    const known = knownKeys.get(at)
    // A row of anybody who is known, and was not forgotten, is skipped in any case.
    if (known && !known.isForgotten) return { kind: 'other' }
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

async function issuancesByIdentifier(
  sql: Sql,
  { environment, course }: ForgottenScope,
  identifiers: readonly { at: number; hash: Buffer }[],
): Promise<{ at: number; id: number }[]> {
  if (identifiers.length === 0) return []
  const { rows } = await sql.query<{ at: number; id: number }>(
    `SELECT DISTINCT r.at, i.id FROM unnest($3::int[], $4::bytea[]) r(at, hash) JOIN erased_identifier e ON e.hash = r.hash
     JOIN issuance i ON i.id = e.issuance_id AND i.environment = $1 AND i.course_uuid = $2 ORDER BY r.at, i.id DESC`,
    [environment, course, intArray(identifiers.map(({ at }) => at)), bytesArray(identifiers.map(({ hash }) => hash))],
  )
  return rows
}

/**
 * What is kept of these issuances. After a correction a list may still have the earlier name, so the names of all
 * issuances of one line of corrections count for each of them.
 */
async function forgottenIssuances(sql: Sql, ids: readonly number[]): Promise<Map<number, ForgottenIssuance>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql.query<ForgottenIssuance>(
    `SELECT i.id, erasure.kind, e.identity_fields AS "identityFields", i.identity_hash AS "identityHash", e.occurrence_hash AS occurrence,
            ARRAY(WITH RECURSIVE
                    before AS (SELECT i.id, i.corrects UNION ALL SELECT o.id, o.corrects FROM before JOIN issuance o ON o.id = before.corrects),
                    after AS (SELECT i.id UNION ALL SELECT n.id FROM after JOIN issuance n ON n.corrects = after.id)
                  SELECT DISTINCT l.name_hash FROM erased_issuance l
                  WHERE l.name_hash IS NOT NULL AND l.issuance_id IN (SELECT id FROM before UNION SELECT id FROM after)) AS names
     FROM unnest($1::bigint[]) f(id) JOIN issuance i ON i.id = f.id JOIN erased_issuance e ON e.issuance_id = i.id JOIN erasure ON erasure.id = e.erasure_id`,
    [[...new Set(ids)]],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
