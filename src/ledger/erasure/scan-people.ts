// Reads everything in which a person may appear, page by page: the issuances of an environment, its invalid rows, and
// its completions that led to no credential. Reads the database only.

import type { Sql } from '#src/platform/database/database.ts'
import { lookUp } from '#src/platform/database/look-up.ts'

export interface ScannedIssuance {
  id: number
  pipeline: string
  course: string
  identityHash: string
  recipient: Readonly<Record<string, string>> | null
  corrects: number | null
}

/** The cells of a row or a completion, with what is needed to tell which column is which field. */
export interface ScannedCells {
  pipeline: string
  /** Null if no list of the pipeline had a course. */
  course: string | null
  header: readonly string[]
  cells: readonly string[]
}

export interface ScannedRow extends ScannedCells {
  run: string
  row: number
  /** Skipped as somebody who was known, with other data: it may be somebody else. */
  isSkipped: boolean
}

export interface ScannedCompletion extends ScannedCells {
  id: number
  system: string
  learner: string
}

const pageRows = 10_000

const issuanceColumns = `i.id, i.pipeline, i.course_uuid AS course, encode(i.identity_hash, 'hex') AS "identityHash", i.recipient, i.corrects`

/** The issuances of the environment that have data. */
export async function* scanIssuances(sql: Sql, environment: string): AsyncGenerator<ScannedIssuance> {
  let after = 0
  for (;;) {
    const { rows } = await sql.query<ScannedIssuance>(
      `SELECT ${issuanceColumns} FROM issuance i WHERE i.id > $2 AND i.environment = $1 AND i.recipient IS NOT NULL ORDER BY i.id LIMIT ${pageRows}`,
      [environment, after],
    )
    yield* rows
    if (rows.length < pageRows) return
    after = rows.at(-1)?.id ?? after
  }
}

/** The issuances of a course that have data and are newer than one of them. */
export async function* scanIssuancesAfter(
  sql: Sql,
  { environment, course, after }: { environment: string; course: string; after: number },
): AsyncGenerator<ScannedIssuance> {
  for (let last: number | undefined = after; last !== undefined; ) {
    const { rows }: { rows: ScannedIssuance[] } = await sql.query<ScannedIssuance>(
      `SELECT ${issuanceColumns} FROM issuance i WHERE i.id > $3 AND i.environment = $1 AND i.course_uuid = $2 AND i.recipient IS NOT NULL
         AND NOT EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = i.id) ORDER BY i.id LIMIT ${pageRows}`,
      [environment, course, last],
    )
    yield* rows
    last = rows.at(-1)?.id
  }
}

/** What there was when people were searched for. */
export interface SearchedTo {
  /** The newest issuance of each course. */
  issuances: ReadonlyMap<string, number>
  completion: number
  at: Date
}

export async function readSearchedTo(sql: Sql, environment: string): Promise<SearchedTo> {
  const { rows } = await sql.query<Omit<SearchedTo, 'issuances'>>(
    'SELECT clock_timestamp() AS at, coalesce(max(id), 0) AS completion FROM completion',
  )
  const { at, completion } = rows[0] as (typeof rows)[number]
  return { at, completion, issuances: await newestIssuances(sql, environment) }
}

/** The newest issuance of each course. */
export async function newestIssuances(sql: Sql, environment: string): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ course: string; id: number }>(
    'SELECT course_uuid AS course, max(id) AS id FROM issuance WHERE environment = $1 GROUP BY 1',
    [environment],
  )
  return new Map(rows.map(({ course, id }) => [course, id]))
}

/** Issuances by id, also those without data. */
export async function readIssuances(
  sql: Sql,
  environment: string,
  ids: readonly number[],
): Promise<Map<number, ScannedIssuance>> {
  const { rows } = await sql.query<ScannedIssuance>(
    `SELECT ${issuanceColumns} FROM ${lookUp('issuance', 'id = ANY($2::bigint[])')} i WHERE i.environment = $1`,
    [environment, ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** How long a list may have been on the way when others had been read already. */
const longestPublication = '1 hour'

/** SQL: whether a row led to no issuance, or may be of somebody else than the issuance as which it was skipped. */
export const isOfItsOwn = (row: string) =>
  `(${row}.issuance_id IS NULL OR (${row}.outcome = 'skipped' AND ${row}.changed_fields IS NOT NULL))`

/**
 * The rows of the environment that may be of somebody without an issuance, and that no erasure has yet.
 * @param since only those of lists that may have been published after that
 */
export async function* scanRowsOfTheirOwn(
  sql: Sql,
  environment: string,
  since: Date | null = null,
): AsyncGenerator<ScannedRow> {
  let [run, row] = ['00000000-0000-0000-0000-000000000000', 0]
  for (;;) {
    const { rows } = await sql.query<ScannedRow>(
      `SELECT r.run_id AS run, r.row_number AS row, coalesce(run.header, '[]') AS header, r.cells, run.pipeline, run.course_uuid AS course, r.issuance_id IS NOT NULL AS "isSkipped" FROM run_row r JOIN run ON run.id = r.run_id
       WHERE (r.run_id, r.row_number) > ($2::uuid, $3::int) AND run.environment = $1 AND ($4::timestamptz IS NULL OR run.published_at > $4 - interval '${longestPublication}') AND ${isOfItsOwn('r')} AND r.cells <> '[]' AND r.forgotten_at IS NULL
         AND NOT EXISTS (SELECT FROM erased_row e WHERE e.run_id = r.run_id AND e.row_number = r.row_number)
       ORDER BY r.run_id, r.row_number LIMIT ${pageRows}`,
      [environment, run, row, since],
    )
    yield* rows
    const last = rows.at(-1)
    if (rows.length < pageRows || !last) return
    run = last.run
    row = last.row
  }
}

/**
 * The completions of the environment that no erasure has yet.
 * @param searchedTo only those that may have come after this one; a transaction that was open then may have smaller ids
 */
export async function* scanCompletions(
  sql: Sql,
  environment: string,
  searchedTo = 0,
): AsyncGenerator<ScannedCompletion> {
  let after = searchedTo - pageRows
  for (;;) {
    const { rows } = await sql.query<Omit<ScannedCompletion, 'header' | 'cells'> & { data: Record<string, string> }>(
      `WITH newest AS MATERIALIZED (
         SELECT DISTINCT ON (pipeline) pipeline, course_uuid FROM run WHERE environment = $1 AND course_uuid IS NOT NULL ORDER BY pipeline, received_at DESC)
       SELECT c.id, c.system, c.learner, c.pipeline, coalesce(run.course_uuid, newest.course_uuid) AS course, c.cells AS data
       FROM completion c LEFT JOIN run ON run.id = c.run_id LEFT JOIN newest ON newest.pipeline = c.pipeline WHERE c.id > $2 AND c.environment = $1
         AND NOT EXISTS (SELECT FROM erased_completion e WHERE e.completion_id = c.id) ORDER BY c.id LIMIT ${pageRows}`,
      [environment, after],
    )
    for (const { data, ...row } of rows) yield { ...row, header: Object.keys(data), cells: Object.values(data) }
    if (rows.length < pageRows) return
    after = rows.at(-1)?.id ?? after
  }
}

/** A pipeline and a course with issuances that have data, or with lists. */
export interface KnownPipeline {
  pipeline: string
  course: string
  /** The fields that its newest recipients have; none if it has only invalid rows. */
  fields: string[]
}

export async function readPipelines(sql: Sql, environment: string): Promise<KnownPipeline[]> {
  const { rows } = await sql.query<KnownPipeline>(
    `SELECT p.pipeline, p.course_uuid AS course, ARRAY(
       SELECT DISTINCT f.name FROM (
         SELECT i.recipient FROM issuance i WHERE i.environment = $1 AND i.course_uuid = p.course_uuid AND i.pipeline = p.pipeline AND i.recipient IS NOT NULL
         ORDER BY i.id DESC LIMIT 100) newest, jsonb_object_keys(newest.recipient) f(name) ORDER BY 1) AS fields
     FROM (SELECT pipeline, course_uuid FROM issuance WHERE environment = $1 AND recipient IS NOT NULL
       UNION SELECT pipeline, course_uuid FROM run WHERE environment = $1 AND state = 'published' AND course_uuid IS NOT NULL) p ORDER BY 1, 2`,
    [environment],
  )
  return rows
}
