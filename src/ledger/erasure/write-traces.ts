// Writes by what people are recognized of whom no issuance is forgotten, but an invalid row or a completion: otherwise the
// next list would bring them back. Reads and writes the database within the caller's transaction.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { RowTraces } from '#src/domain/credential/row-traces.ts'
import { bytesArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import type { ComparisonOf } from './person-records.ts'
import { type CellsOfPerson, cellsOfCompletions, cellsOfRows, tracesOfCells } from './row-values.ts'

/** Thrown if a completion would be emptied without anything by which a later list is recognized. */
export class UnknownCourseOfPersonError extends Error {
  override readonly name = 'UnknownCourseOfPersonError'

  constructor(pipelines: readonly string[]) {
    super(
      `It is not known for which course the completions of pipeline ${pipelines.join(', ')} are: the service gave no answer, or has no such course. A later list could issue the person again. Nothing was changed. Run \`credsync check\`, and this command again once the course is found.`,
    )
  }
}

/** What is kept, and of what. */
export interface KeptTraces extends RowTraces, Pick<CellsOfPerson, 'run' | 'row' | 'completion'> {
  course: string
}

/**
 * @param options.courses the configured course of each pipeline, for pipelines of which no list was read yet; null if it
 * is not known now
 * @param options.mayBeUntraced whether nothing is needed of the people for long, or it was recorded elsewhere
 * @throws UnknownCourseOfPersonError
 */
export async function writeTraces(
  sql: Sql,
  erasure: { erasureId: string; environment: string },
  options: {
    hasher: Hasher
    comparisonOf: ComparisonOf
    courses?: ReadonlyMap<string, string | null> | undefined
    mayBeUntraced: boolean
  },
): Promise<void> {
  const { hasher, comparisonOf, courses } = options
  const sources = await cellsToTrace(sql, erasure.erasureId)
  const courseOf = ({ course, pipeline }: CellsOfPerson) => course ?? courses?.get(pipeline)
  const traces = sources.flatMap((source): KeptTraces[] => {
    const course = courseOf(source) ?? null
    // Of a pipeline that is no longer configured, there will be no list either.
    if (course === null) return []
    const { run, row, completion } = source
    return [{ ...tracesOfCells({ ...source, course }, comparisonOf, hasher), run, row, completion, course }]
  })
  await insertTraces(sql, erasure, traces)
  const untraced = new Set(sources.flatMap((source) => (courseOf(source) === null ? [source.pipeline] : [])))
  if (untraced.size > 0 && !options.mayBeUntraced) throw new UnknownCourseOfPersonError([...untraced])
}

/** The rows and completions of an erasure that are not emptied, and of which nothing is kept yet. */
async function cellsToTrace(sql: Sql, erasureId: string): Promise<CellsOfPerson[]> {
  const { rows } = await sql.query<{ run: string; row: number }>(
    `SELECT e.run_id AS run, e.row_number AS row FROM erased_row e
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL AND NOT EXISTS (SELECT FROM erased_trace t WHERE t.run_id = e.run_id AND t.row_number = e.row_number)`,
    [erasureId],
  )
  const { rows: completions } = await sql.query<{ id: number; run: string | null; row: number | null }>(
    `SELECT c.id, o.run_id AS run, o.row_number AS row FROM erased_completion e JOIN completion c ON c.id = e.completion_id
     LEFT JOIN erased_row o ON o.run_id = c.run_id AND o.row_number = c.row_number
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL AND NOT EXISTS (SELECT FROM erased_trace t WHERE t.completion_id = e.completion_id)`,
    [erasureId],
  )
  const erasedRows = new Map(completions.map(({ id, run, row }) => [id, { run, row }]))
  const cells = await cellsOfCompletions(sql, [...erasedRows.keys()])
  const ofRows = cells.map((each) => ({ ...each, ...erasedRows.get(each.completion ?? 0) }))
  // A skipped row that is not erased itself is the person's of an issuance, by whom a list is recognized.
  return [...(await cellsOfRows(sql, rows)), ...ofRows.filter(({ isSkipped, run }) => !isSkipped || run !== null)]
}

export async function insertTraces(
  sql: Sql,
  { erasureId, environment }: { erasureId: string; environment: string },
  traces: readonly KeptTraces[],
): Promise<void> {
  if (traces.length === 0) return
  const { rows } = await sql.query<{ id: number }>(
    `INSERT INTO erased_trace (erasure_id, environment, course_uuid, run_id, row_number, completion_id, identity_fields, identity_hash, name_hash, occurrence_fields, occurrence_hash)
     SELECT $1, $2, n.course, n.run, n.row, n.completion, ARRAY(SELECT jsonb_array_elements_text(n.fields->'identity')), n.identity, n.name,
            CASE WHEN n.fields->'occurrence' <> 'null' THEN ARRAY(SELECT jsonb_array_elements_text(n.fields->'occurrence')) END, n.occurrence
     FROM unnest($3::uuid[], $4::uuid[], $5::int[], $6::bigint[], $7::jsonb[], $8::bytea[], $9::bytea[], $10::bytea[])
       WITH ORDINALITY AS n(course, run, row, completion, fields, identity, name, occurrence, at) ORDER BY n.at RETURNING id`,
    [
      ...[erasureId, environment, traces.map(({ course }) => course)],
      ...[traces.map(({ run }) => run), traces.map(({ row }) => row), traces.map(({ completion }) => completion)],
      traces.map((each) => JSON.stringify({ identity: each.identityFields, occurrence: each.occurrenceFields })),
      ...[traces.map(({ identity }) => identity), traces.map(({ name }) => name)].map(bytesArray),
      bytesArray(traces.map(({ occurrence }) => occurrence)),
    ],
  )
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  const hashes = traces.flatMap(({ identifiers, whole }, at) => {
    const id = ids[at]
    return [...identifiers.map((hash) => ({ id, hash, isWhole: false })), { id, hash: whole, isWhole: true }]
  })
  await sql.query(
    `INSERT INTO erased_trace_identifier (hash, trace_id, is_whole) SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::boolean[]) ON CONFLICT DO NOTHING`,
    [bytesArray(hashes.map(({ hash }) => hash)), hashes.map(({ id }) => id), hashes.map(({ isWhole }) => isWhole)],
  )
}
