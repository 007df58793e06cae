// Sets aside the rows of people who were forgotten, before anything else is decided about a list: nobody of them is
// issued again, and none of their data stay. Reads and writes staged rows within the caller's transaction.

import type { Recognition } from '#src/domain/credential/recognize-forgotten.ts'
import { whyUnclear } from '#src/domain/credential/unclear-row.ts'
import { jsonArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { emptyCompletions } from '../lms/empty-learning.ts'
import {
  type ForgottenScope,
  findForgotten,
  hasForgotten,
  type KnownForgotten,
  type RowOfList,
} from './find-forgotten.ts'
import { refuseRows } from './refuse-other-primary-value.ts'

const pageRows = 10_000
const noData = `cells = '[]', raw = NULL, recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL, image_sha256 = NULL`

/** SQL: the day of an erasure. */
const dayOf = (erasure: string) => `to_char(${erasure}.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`

/**
 * Empties the rows of people who asked to be forgotten, and refuses those of which it is unclear whose they are. A list
 * of a course whose people were never forgotten costs two queries.
 */
export async function setAsideForgotten(sql: Sql, runId: string, scope: ForgottenScope): Promise<void> {
  await setAsideCompletions(sql, runId)
  if (!(await hasForgotten(sql, scope))) return
  for (let page = await pageAfter(sql, runId, 0); page.length > 0; ) {
    const found = await findForgotten(sql, scope, page)
    const rowsThatAre = (kind: Recognition['kind']): FoundRow[] =>
      found.flatMap((each, at) =>
        each.kind === kind && each.kind !== 'other' ? [{ row: page[at]?.row ?? 0, as: each.as }] : [],
      )
    await emptyRows(sql, runId, rowsThatAre('forgotten'))
    await refuseUnclear(sql, runId, scope.rule.nameFields, rowsThatAre('unclear'))
    await refuseRows(sql, runId, scope.rule.nameFields, {
      // Only an issuance can have reached the end of its retention.
      found: rowsThatAre('known').flatMap(({ row, as }) => (as.issuance ? [{ row, known: as.issuance }] : [])),
      difference: 'but under another identity.',
      remedy: 'If it is the same person, remove the row, or use the identity that the person had.',
    })
    page = await pageAfter(sql, runId, page.at(-1)?.row ?? 0)
  }
}

async function pageAfter(sql: Sql, runId: string, after: number): Promise<(RowOfList & { row: number })[]> {
  const { rows } = await sql.query<RowOfList & { row: number }>(
    `SELECT s.row_number AS row, s.cells, s.recipient, CASE WHEN s.violations IS NULL THEN s.issuance_key END AS "issuanceKey", s.identity_hash AS "identityHash",
            EXISTS (SELECT FROM completion c WHERE c.run_id = s.run_id AND c.row_number = s.row_number AND c.occasion IS NOT NULL) AS "isRenewal"
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
    `UPDATE staged_row s SET ${noData}, violations = NULL, forgotten_as = f.known, forgotten_by = f.erasure, forgotten_trace = f.trace
     FROM unnest($2::int[], $3::bigint[], $4::uuid[], $5::bigint[]) f(row_number, known, erasure, trace) WHERE s.run_id = $1 AND s.row_number = f.row_number`,
    [
      ...[runId, found.map(({ row }) => row), found.map(({ as }) => as.issuance)],
      ...[found.map(({ as }) => as.erasure), found.map(({ as }) => as.trace)],
    ],
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
    const about = as.issuance === null ? { trace: as.trace } : { known: as.issuance }
    return { row, column: '', field: '', rule: 'forgotten_identity', value: '', ...about, sentence }
  })
  await sql.query(
    `UPDATE staged_row s SET issuance_key = NULL, match_hashes = NULL,
       recipient = (SELECT jsonb_object_agg(key, value) FROM jsonb_each(s.recipient) WHERE key = ANY($4::text[])), violations = jsonb_build_array(f.violation)
     FROM unnest($2::int[], $3::jsonb[]) f(row_number, violation) WHERE s.run_id = $1 AND s.row_number = f.row_number`,
    [runId, found.map(({ row }) => row), jsonArray(violations.map((each) => JSON.stringify(each))), nameFields],
  )
}

/**
 * Refuses completions that are to be forgotten themselves: they were in a run already when the erasure was requested,
 * and have no issuance yet.
 */
async function setAsideCompletions(sql: Sql, runId: string): Promise<void> {
  const sentence = `'The learner was forgotten on ' || ${dayOf('erasure')} || '. No credential was issued.'`
  await sql.query(
    `UPDATE staged_row s SET ${noData}, violations = jsonb_build_array(
       jsonb_build_object('row', s.row_number, 'column', '', 'field', '', 'rule', 'forgotten', 'value', '', 'sentence', ${sentence}))
     FROM completion c JOIN erased_completion e ON e.completion_id = c.id JOIN erasure ON erasure.id = e.erasure_id
     WHERE c.run_id = $1 AND s.run_id = $1 AND s.row_number = c.row_number`,
    [runId],
  )
}

/**
 * Records the emptied rows as skipped and removes them from staging, once it is certain that the run is published. The
 * completions that they came from are emptied as well.
 */
export async function publishForgotten(sql: Sql, runId: string, scope: ForgottenScope): Promise<void> {
  const { rows } = await sql.query<{ row: number; erasure: string; trace: number | null }>(
    `WITH taken AS (DELETE FROM staged_row WHERE run_id = $1 AND forgotten_by IS NOT NULL RETURNING row_number, cells, forgotten_as, forgotten_by, forgotten_trace),
     written AS (
       INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id, forgotten_at, reason)
       SELECT $1, t.row_number, 'skipped', t.cells, t.forgotten_as, clock_timestamp(), 'forgotten on ' || ${dayOf('erasure')}
       FROM taken t JOIN erasure ON erasure.id = t.forgotten_by)
     SELECT row_number AS row, forgotten_by AS erasure, forgotten_trace AS trace FROM taken`,
    [runId],
  )
  // The file of the list shows them as long as it is kept.
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
  const numbers = [...rows, ...withdrawn.rows].map(({ row }) => row)
  if (numbers.length === 0) return
  const { rows: completions } = await sql.query<{ id: number; row: number }>(
    'SELECT id, row_number AS row FROM completion WHERE run_id = $1 AND row_number = ANY($2)',
    [runId, numbers],
  )
  const ids = completions.map(({ id }) => id)
  const emptied = new Set(await emptyCompletions(sql, ids, { hasher: scope.hasher, publishedNow: runId }))
  const foundIn = new Map(rows.map((found) => [found.row, found]))
  // They belong to the erasure of their person, so that they are released with it.
  const own = completions.flatMap(({ id, row }) => {
    const found = foundIn.get(row)
    return found && emptied.has(id) ? [{ ...found, id }] : []
  })
  await sql.query(
    `INSERT INTO erased_completion (completion_id, erasure_id, trace_id, emptied_at)
     SELECT id, erasure, trace, clock_timestamp() FROM unnest($1::bigint[], $2::uuid[], $3::bigint[]) n(id, erasure, trace) ON CONFLICT DO NOTHING`,
    [own.map(({ id }) => id), own.map(({ erasure }) => erasure), own.map(({ trace }) => trace)],
  )
}
