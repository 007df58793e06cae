// Finds the rows of a list that are about forgotten people of the course, deletes their data, and prevents new
// credentials for them. This happens before any other decision about the list. All handling of forgotten people in the
// processing of a list's rows is in this file. Reads and writes the database within the caller's transaction.

import {
  type ForgottenPerson,
  type Recognition,
  recognizeForgotten,
  ruleText,
  tracesOf,
  whyUnclear,
} from '#src/domain/credential/forgotten-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { ColumnPlan } from '#src/domain/recipient/column-plan.ts'
import { uncheckedValues } from '#src/domain/recipient/unchecked-values.ts'
import { bytesArray, intArray, jsonArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { refuseRows } from './refuse-other-primary-value.ts'
import type { RowsFromElsewhere } from './rows-from-elsewhere.ts'

export interface ForgottenScope {
  environment: string
  course: string
  rule: {
    identity: readonly string[]
    occurrence: readonly string[]
    /** Which column fills which field. Without it, invalid rows are not recognized. */
    plan?: ColumnPlan | undefined
  }
  hasher: Hasher
  /** Whether the rows are completions. */
  isCompletion?: boolean
}

/** A row of a list. It is valid if it has a key. */
export interface RowOfList {
  cells: readonly string[]
  recipient: Readonly<Record<string, string>> | null
  issuanceKey: Buffer | null
  /** Whether it is intended as a further credential for its person. */
  isRenewal?: boolean
}

/** A forgotten person, as recorded in the ledger. */
export interface KnownForgotten extends ForgottenPerson {
  /** The id of the record that is kept of the person. */
  person: number
  /** The day of the erasure. */
  day: string
  /** The forgotten row, in the form used by commands, if it led to no issuance. */
  forgottenRow: string | null
}

/** Returns whether anyone in the course was forgotten. If not, no row needs to be checked. */
export async function hasForgotten(sql: Sql, { environment, course }: Pick<ForgottenScope, 'environment' | 'course'>) {
  const { rows } = await sql.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT FROM erased_person WHERE environment = $1 AND course_uuid = $2) AS any',
    [environment, course],
  )
  return rows[0]?.any === true
}

/** @returns the result of the recognition for each row, in order */
export async function findForgotten(
  sql: Sql,
  { environment, course, rule, hasher, isCompletion = false }: ForgottenScope,
  rows: readonly RowOfList[],
): Promise<Recognition<KnownForgotten>[]> {
  const { rows: known } = await sql.query<{ at: number; id: number; isForgotten: boolean }>(
    `SELECT r.at::int - 1 AS at, i.id, EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = i.id) AS "isForgotten"
     FROM unnest($3::bytea[]) WITH ORDINALITY r(issuance_key, at)
     JOIN issuance i ON i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = r.issuance_key`,
    [environment, course, bytesArray(rows.map(({ issuanceKey }) => issuanceKey))],
  )
  const keys = new Map(known.map((each) => [each.at, each]))
  // People who are known and were not forgotten are skipped in any case. In most lists, nearly everyone belongs to this
  // group, and hashing them would take longer than everything else.
  const traces = rows.map(({ issuanceKey, recipient, cells }, at) => {
    if (keys.get(at)?.isForgotten === false) return null
    const values = issuanceKey && recipient ? recipient : uncheckedValues(rule.plan ?? [], cells)
    return tracesOf(values, rule.identity, hasher)
  })
  const hashes = traces.flatMap((each, at) => each?.identifiers.map((hash) => ({ at, hash })) ?? [])
  const own = known.filter(({ isForgotten }) => isForgotten)
  const { rows: found } = await sql.query<KnownForgotten & { at: number }>(
    `SELECT f.at, p.id AS person, p.issuance_id AS issuance, x.kind, p.name_hash AS name, p.rule, ${erasureDay('x')} AS day,
            left(p.run_id::text, 8) || ':' || p.row_number AS "forgottenRow"
     FROM (SELECT h.at, i.person_id FROM unnest($3::int[], $4::bytea[]) h(at, hash) JOIN erased_identifier i ON i.hash = h.hash
       UNION SELECT k.at, o.id FROM unnest($5::int[], $6::bigint[]) k(at, id) JOIN erased_person o ON o.issuance_id = k.id) f
     JOIN erased_person p ON p.id = f.person_id AND p.environment = $1 AND p.course_uuid = $2 JOIN erasure x ON x.id = p.erasure_id
     ORDER BY f.at, p.issuance_id DESC NULLS LAST, p.id DESC`,
    [
      ...[environment, course, intArray(hashes.map(({ at }) => at)), bytesArray(hashes.map(({ hash }) => hash))],
      ...[own.map(({ at }) => at), own.map(({ id }) => id)],
    ],
  )
  const matches = Map.groupBy(found, ({ at }) => at)
  return rows.map(({ issuanceKey, isRenewal = false }, at) => {
    const row = { isValid: issuanceKey !== null, isCompletion, isRenewal, rule: ruleText(rule) }
    return recognizeForgotten(
      { ...row, name: traces[at]?.name ?? null, keyOf: keys.get(at)?.id ?? null },
      matches.get(at) ?? [],
    )
  })
}

const pageRows = 10_000

/**
 * Deletes the data of rows of people who asked to be forgotten, and refuses rows if it is unclear whom they are about.
 * If nobody in the course was ever forgotten, this takes only two queries.
 * @param nameFields the fields that a refused row keeps
 */
export async function setAsideForgotten(
  sql: Sql,
  runId: string,
  scope: ForgottenScope,
  nameFields: readonly string[],
  elsewhere: RowsFromElsewhere,
): Promise<void> {
  await elsewhere.setAsideForgotten(sql, runId)
  if (!(await hasForgotten(sql, scope))) return
  for (let page = await pageAfter(sql, runId, 0); page.length > 0; ) {
    const recognized = await findForgotten(sql, scope, page)
    const rowsThatAre = (kind: Recognition['kind']): FoundRow[] =>
      recognized.flatMap((each, at) =>
        each.kind === kind && each.kind !== 'other' ? [{ row: page[at]?.row ?? 0, as: each.as }] : [],
      )
    await emptyRows(sql, runId, rowsThatAre('forgotten'))
    await refuseUnclear(sql, runId, nameFields, rowsThatAre('unclear'))
    await refuseRows(sql, runId, nameFields, {
      // Rows of this kind always have an issuance, because only an issuance can reach the end of its retention period.
      found: rowsThatAre('known').flatMap(({ row, as }) => (as.issuance ? [{ row, known: as.issuance }] : [])),
      difference: 'but under another identity.',
      remedy: 'If it is the same person, remove the row, or use the identity that the person had.',
    })
    page = await pageAfter(sql, runId, page.at(-1)?.row ?? 0)
  }
}

async function pageAfter(sql: Sql, runId: string, after: number): Promise<(RowOfList & { row: number })[]> {
  const { rows } = await sql.query<RowOfList & { row: number }>(
    `SELECT s.row_number AS row, s.cells, s.recipient, CASE WHEN s.violations IS NULL THEN s.issuance_key END AS "issuanceKey", s.renews AS "isRenewal"
     FROM staged_row s WHERE s.run_id = $1 AND s.row_number > $2 AND s.cells <> '[]' ORDER BY s.row_number LIMIT ${pageRows}`,
    [runId, after],
  )
  return rows
}

interface FoundRow {
  row: number
  as: KnownForgotten
}

async function emptyRows(sql: Sql, runId: string, found: readonly FoundRow[]): Promise<void> {
  if (found.length === 0) return
  await sql.query(
    `UPDATE staged_row s SET ${emptiedRow}, violations = NULL, forgotten_person = f.person
     FROM unnest($2::int[], $3::bigint[]) f(row_number, person) WHERE s.run_id = $1 AND s.row_number = f.row_number`,
    [runId, found.map(({ row }) => row), found.map(({ as }) => as.person)],
  )
}

async function refuseUnclear(
  sql: Sql,
  runId: string,
  nameFields: readonly string[],
  found: readonly FoundRow[],
): Promise<void> {
  if (found.length === 0) return
  const violations = found.map(({ row, as }) => {
    const sentence = whyUnclear(as, `${runId.slice(0, 8)}:${row}`)
    const known = as.issuance === null ? {} : { known: as.issuance }
    return { row, column: '', field: '', rule: 'forgotten_identity', value: '', ...known, person: as.person, sentence }
  })
  await sql.query(
    `UPDATE staged_row s SET issuance_key = NULL, match_hashes = NULL,
       recipient = (SELECT jsonb_object_agg(key, value) FROM jsonb_each(s.recipient) WHERE key = ANY($4::text[])), violations = jsonb_build_array(f.violation)
     FROM unnest($2::int[], $3::jsonb[]) f(row_number, violation) WHERE s.run_id = $1 AND s.row_number = f.row_number`,
    [runId, found.map(({ row }) => row), jsonArray(violations.map((each) => JSON.stringify(each))), nameFields],
  )
}

/**
 * Records the emptied rows as skipped and removes them from staging, once it is certain that the run will be published.
 * The data of the completions from which they were made are deleted as well.
 */
export async function publishForgotten(
  sql: Sql,
  runId: string,
  { hasher }: Pick<ForgottenScope, 'hasher'>,
  elsewhere: RowsFromElsewhere,
): Promise<void> {
  const { rows } = await sql.query<{ row: number; erasure: string; person: number }>(
    `WITH taken AS (DELETE FROM staged_row WHERE run_id = $1 AND forgotten_person IS NOT NULL RETURNING row_number, cells, forgotten_person),
     found AS (
       SELECT t.row_number, t.cells, p.id AS person, p.issuance_id, x.id AS erasure, ${erasureDay('x')} AS day
       FROM taken t JOIN erased_person p ON p.id = t.forgotten_person JOIN erasure x ON x.id = p.erasure_id),
     written AS (
       INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id, forgotten_at, reason)
       SELECT $1, row_number, 'skipped', cells, issuance_id, clock_timestamp(), 'forgotten on ' || day FROM found)
     SELECT row_number AS row, erasure, person FROM found`,
    [runId],
  )
  // The list's file still contains their data, so the run is recorded for cleaning.
  if (rows.length > 0)
    await sql.query(
      `INSERT INTO erased_run (erasure_id, run_id, cleaned_at)
       SELECT id, $1, CASE WHEN ended_at IS NOT NULL THEN clock_timestamp() END FROM erasure WHERE id = ANY($2::uuid[]) ON CONFLICT DO NOTHING`,
      [runId, rows.map(({ erasure }) => erasure)],
    )
  const withdrawn = await sql.query<{ row: number }>(
    `WITH taken AS (DELETE FROM staged_row WHERE run_id = $1 AND violations->0->>'rule' = 'forgotten' RETURNING row_number, cells, violations)
     INSERT INTO run_row (run_id, row_number, outcome, cells, violations, forgotten_at)
     SELECT $1, row_number, 'invalid', cells, violations, clock_timestamp() FROM taken RETURNING row_number AS row`,
    [runId],
  )
  const forgotten = [
    ...rows.map(({ row, ...of }) => ({ row, of })),
    ...withdrawn.rows.map(({ row }) => ({ row, of: null })),
  ]
  if (forgotten.length > 0) await elsewhere.forget(sql, runId, forgotten, hasher)
}

/** SQL: the assignments that empty a staged row whose person was forgotten. */
export const emptiedRow = `cells = '[]', raw = NULL, recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL, image_sha256 = NULL`

/** SQL: the day of an erasure. @param erasure the alias of its table */
export const erasureDay = (erasure: string) => `to_char(${erasure}.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
