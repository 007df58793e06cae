// Finds which rows of a list are about people of the course who were forgotten, in the same way for a publication and
// for a dry run. Reads the database only.

import { type PersonTraces, tracesOf } from '#src/domain/credential/erased-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { type OwnFields, ownFieldsOf } from '#src/domain/credential/own-fields.ts'
import {
  type ForgottenRecord,
  type Recognition,
  recognizeForgotten,
  recognizeInInvalidRow,
} from '#src/domain/credential/recognize-forgotten.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import type { ColumnPlan } from '#src/domain/recipient/column-plan.ts'
import { uncheckedValues } from '#src/domain/recipient/unchecked-values.ts'
import { bytesArray, intArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { hashedNames } from '../forgotten-people.ts'

export interface ForgottenScope {
  environment: string
  course: string
  rule: PersonComparison & {
    /** Which column fills which field. Without it, an invalid row is recognized only if it is an exact copy. */
    plan?: ColumnPlan | undefined
  }
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

/** A record of the ledger. */
export interface KnownForgotten extends ForgottenRecord {
  erasure: string
  /** The day of the erasure. */
  day: string
  /** What is kept of an invalid row or a completion; null for an issuance. */
  trace: number | null
}

/** Whether anybody of the course was forgotten. If not, no row needs to be looked at. */
export async function hasForgotten(sql: Sql, { environment, course }: Omit<ForgottenScope, 'rule' | 'hasher'>) {
  const { rows } = await sql.query<{ any: boolean }>(
    `SELECT EXISTS (SELECT FROM erased_issuance WHERE environment = $1 AND course_uuid = $2)
         OR EXISTS (SELECT FROM erased_trace WHERE environment = $1 AND course_uuid = $2) AS any`,
    [environment, course],
  )
  return rows[0]?.any === true
}

/** @returns what is recognized for each row, in order */
export async function findForgotten(
  sql: Sql,
  scope: ForgottenScope,
  rows: readonly RowOfList[],
): Promise<Recognition<KnownForgotten>[]> {
  const { rule, hasher } = scope
  const knownKeys = await issuancesByKey(sql, scope, rows)
  // A row of anybody who is known, and was not forgotten, is skipped in any case. In most lists that is nearly everybody,
  // and hashing them would take longer than all the rest. Only if a row was forgotten that had been skipped as somebody
  // who is known, or that has their identity, the next one may be of the forgotten person, too.
  const isKnown = (at: number) => knownKeys.get(at)?.isToCompare === false
  const traces = rows.map(({ issuanceKey, recipient }, at) =>
    issuanceKey && recipient && !isKnown(at) ? tracesOf(recipient, rule, hasher) : null,
  )
  const own = rows.map(({ cells }, at) =>
    traces[at] || isKnown(at) ? null : ownFieldsOf(uncheckedValues(rule.plan ?? [], cells), rule),
  )
  const hashesOf = (kind: HashOfRow['kind'], of: (row: RowOfList, at: number) => readonly (Buffer | null)[]) =>
    rows.flatMap((row, at) => (isKnown(at) ? [] : of(row, at).flatMap((hash) => (hash ? [{ at, kind, hash }] : []))))
  const found = await recordsByHash(sql, scope, [
    ...hashesOf(
      'identifier',
      (_, at) => traces[at]?.identifiers ?? own[at]?.identifiers.map((value) => hasher.identifier(value)) ?? [],
    ),
    ...hashesOf('identity', ({ identityHash }) => [identityHash]),
    // A completion that renews an earlier one may be told apart by its occasion alone.
    ...hashesOf('whole', ({ cells, isRenewal }) => [isRenewal ? null : hasher.row(cells)]),
  ])
  const matches = Map.groupBy(found, ({ at }) => at)
  const known = [...knownKeys.values()].flatMap(({ id, isForgotten }) => (isForgotten ? [id] : []))
  const records = await forgottenRecords(sql, known, found)
  return rows.map((row, at): Recognition<KnownForgotten> => {
    if (isKnown(at)) return other
    const matched = matches.get(at) ?? []
    const copied = matched.find(({ isWhole }) => isWhole)
    const copy = copied && records.get(keyOf(copied))
    if (copy) return { kind: 'forgotten', as: copy }
    const known = knownKeys.get(at)
    const keys = new Set([...(known ? [keyOf({ issuance: known.id, trace: null })] : []), ...matched.map(keyOf)])
    const about = [...keys].flatMap((key) => records.get(key) ?? [])
    const of = { known: known?.id ?? null, traces: traces[at] ?? null, own: own[at] ?? null, about }
    const recognized = recognize(row, of, scope)
    return known?.isForgotten === false && recognized.kind !== 'forgotten' ? other : recognized
  })
}

function recognize(
  { identityHash, isRenewal = false }: RowOfList,
  of: { known: number | null; traces: PersonTraces | null; own: OwnFields | null; about: readonly KnownForgotten[] },
  { rule, hasher }: ForgottenScope,
): Recognition<KnownForgotten> {
  const { known, traces, own, about } = of
  if (about.length === 0) return other
  const hasNameFields = rule.nameFields.length > 0
  const fields = { identityFields: rule.identity, occurrenceFields: rule.occurrence, identityHash, hasNameFields }
  if (traces) return recognizeForgotten({ ...fields, traces, keyOf: known, isRenewal }, about)
  const as = recognizeInInvalidRow({ ...fields, names: own?.names ?? [] }, about, hasher)
  return as === null ? other : { kind: 'forgotten', as }
}

/** The issuances with the keys of the rows, by the position of the row. */
async function issuancesByKey(sql: Sql, { environment, course }: ForgottenScope, rows: readonly RowOfList[]) {
  const { rows: known } = await sql.query<{ at: number; id: number; isForgotten: boolean; isToCompare: boolean }>(
    `SELECT k.at, k.id, k."isForgotten", k."isForgotten" OR k.id IN (
       SELECT o.issuance_id FROM erased_trace t JOIN run_row o ON o.run_id = t.run_id AND o.row_number = t.row_number
       WHERE t.environment = $1 AND t.course_uuid = $2 AND o.issuance_id IS NOT NULL)
       OR k.identity_hash IN (SELECT identity_hash FROM erased_trace WHERE environment = $1 AND course_uuid = $2 AND identity_hash IS NOT NULL) AS "isToCompare"
     FROM (SELECT r.at::int - 1 AS at, i.id, i.identity_hash, EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = i.id) AS "isForgotten"
     FROM unnest($3::bytea[]) WITH ORDINALITY r(issuance_key, at)
     JOIN issuance i ON i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = r.issuance_key) k`,
    [environment, course, bytesArray(rows.map(({ issuanceKey }) => issuanceKey))],
  )
  return new Map(known.map(({ at, ...issuance }) => [at, issuance]))
}

const other = { kind: 'other' } as const

interface HashOfRow {
  at: number
  kind: 'identifier' | 'identity' | 'whole'
  hash: Buffer
}

interface RecordName {
  issuance: number | null
  trace: number | null
}
const keyOf = ({ issuance, trace }: RecordName) => (issuance === null ? `trace ${trace}` : `i${issuance}`)

/** The forgotten issuances, invalid rows and completions of the course with one of the hashes of a row. */
async function recordsByHash(
  sql: Sql,
  { environment, course }: ForgottenScope,
  hashes: readonly HashOfRow[],
): Promise<(RecordName & { at: number; isWhole: boolean })[]> {
  if (hashes.length === 0) return []
  const arraysOf = (...kinds: HashOfRow['kind'][]) => {
    const some = hashes.filter(({ kind }) => kinds.includes(kind))
    return [intArray(some.map(({ at }) => at)), bytesArray(some.map(({ hash }) => hash))]
  }
  const { rows } = await sql.query<RecordName & { at: number; isWhole: boolean }>(
    `SELECT f.at, i.id AS issuance, NULL AS trace, false AS "isWhole" FROM (
       SELECT r.at, e.issuance_id FROM unnest($3::int[], $4::bytea[]) r(at, hash) JOIN erased_identifier e ON e.hash = r.hash
       UNION SELECT r.at, e.issuance_id FROM unnest($5::int[], $6::bytea[]) r(at, hash) JOIN issuance_identity n ON n.identity_hash = r.hash
         JOIN erased_issuance e ON e.issuance_id = n.issuance_id) f
     JOIN issuance i ON i.id = f.issuance_id AND i.environment = $1 AND i.course_uuid = $2
     UNION ALL SELECT r.at, NULL, t.id, bool_or(h.is_whole) FROM unnest($7::int[], $8::bytea[]) r(at, hash) JOIN erased_trace_identifier h ON h.hash = r.hash
       JOIN erased_trace t ON t.id = h.trace_id AND t.environment = $1 AND t.course_uuid = $2 GROUP BY r.at, t.id
     ORDER BY at, issuance DESC NULLS LAST, trace DESC`,
    [environment, course, ...arraysOf('identifier'), ...arraysOf('identity'), ...arraysOf('identifier', 'whole')],
  )
  return rows
}

/** What is kept of these issuances, and of what was found, by `keyOf`. */
async function forgottenRecords(
  sql: Sql,
  own: readonly number[],
  found: readonly RecordName[],
): Promise<Map<string, KnownForgotten>> {
  const issuances = [...own, ...found.flatMap(({ issuance }) => issuance ?? [])]
  if (issuances.length + found.length === 0) return new Map()
  const day = `to_char(x.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  const { rows } = await sql.query<KnownForgotten>(
    `SELECT i.id AS issuance, NULL AS trace, x.id AS erasure, ${day} AS day, x.kind, e.identity_fields AS "identityFields", i.identity_hash AS "identityHash",
            e.occurrence_fields AS "occurrenceFields", e.occurrence_hash AS occurrence, ${hashedNames('i.id')} AS names
     FROM unnest($1::bigint[]) f(id) JOIN issuance i ON i.id = f.id JOIN erased_issuance e ON e.issuance_id = i.id JOIN erasure x ON x.id = e.erasure_id
     UNION ALL SELECT NULL, t.id, x.id, ${day}, x.kind, t.identity_fields, t.identity_hash, t.occurrence_fields, t.occurrence_hash, array_remove(ARRAY[t.name_hash], NULL)
     FROM unnest($2::bigint[]) f(id) JOIN erased_trace t ON t.id = f.id JOIN erasure x ON x.id = t.erasure_id`,
    [[...new Set(issuances)], [...new Set(found.flatMap(({ trace }) => trace ?? []))]],
  )
  return new Map(rows.map((row) => [keyOf(row), row]))
}
