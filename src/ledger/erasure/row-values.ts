// Reads what an invalid row or a completion says of its person: both led to no issuance, so there are only cells. Reads
// the database only.

import { nameIn } from '#src/domain/credential/erased-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { ownFieldsOf } from '#src/domain/credential/own-fields.ts'
import { type Likeness, type PersonRecord, verdictOnRow } from '#src/domain/credential/records-of-person.ts'
import {
  addressesIn,
  identifiersOfRow,
  type ReadRow,
  type RowTraces,
  tracesOfRow,
} from '#src/domain/credential/row-traces.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'
import { type ComparisonOf, comparisonByRoles, type PipelineFields } from './person-records.ts'
import { isOfItsOwn, type ScannedCells } from './scan-people.ts'

/** A row of a run, or a completion that is in none. */
export interface CellsOfPerson {
  run: string | null
  row: number | null
  completion: number | null
  pipeline: string
  /** Null if no run of the pipeline had a course. */
  course: string | null
  header: readonly string[]
  cells: readonly string[]
  learner: string | null
  /** Problems of an invalid row. */
  problems: readonly { column: string; field: string; rule: string }[]
  /** Whether the row was skipped as somebody else's: then its identity is that of the other. */
  isSkipped?: boolean
}

/** Problems of the file, because of which a value may be in another column, or be another one. */
const damages = ['ragged-row', 'invalid-characters', 'lost-characters', 'cell-too-long', 'formula-without-value']

const problems = `(SELECT jsonb_agg(jsonb_build_object('column', v->>'column', 'field', v->>'field', 'rule', v->>'rule')) FROM jsonb_array_elements(r.violations) v)`

/** Rows of their own, which are not emptied. */
export async function cellsOfRows(sql: Sql, rows: readonly { run: string; row: number }[]): Promise<CellsOfPerson[]> {
  if (rows.length === 0) return []
  const { rows: found } = await sql.query<CellsOfPerson>(
    `SELECT r.run_id AS run, r.row_number AS row, NULL AS completion, run.pipeline, run.course_uuid AS course, coalesce(run.header, '[]') AS header, r.cells,
            c.learner, coalesce(${problems}, '[]') AS problems, r.issuance_id IS NOT NULL AS "isSkipped"
     FROM unnest($1::uuid[], $2::int[]) n(run, row) JOIN run_row r ON r.run_id = n.run AND r.row_number = n.row JOIN run ON run.id = r.run_id
     LEFT JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number
     WHERE ${isOfItsOwn('r')} AND r.cells <> '[]' ORDER BY r.run_id, r.row_number`,
    [rows.map(({ run }) => run), rows.map(({ row }) => row)],
  )
  return found
}

/**
 * Completions that are not emptied and led to no row with data: retention empties an invalid row, and one that was skipped
 * as somebody with another name, before its completion.
 */
export async function cellsOfCompletions(sql: Sql, ids: readonly number[]): Promise<CellsOfPerson[]> {
  if (ids.length === 0) return []
  const { rows } = await sql.query<Omit<CellsOfPerson, 'header' | 'cells' | 'problems'> & { cells: Cells }>(
    `SELECT NULL AS run, NULL AS row, c.id AS completion, c.pipeline, c.cells, c.learner, r.issuance_id IS NOT NULL AS "isSkipped",
            coalesce(run.course_uuid, (SELECT o.course_uuid FROM run o WHERE o.environment = c.environment AND o.pipeline = c.pipeline AND o.course_uuid IS NOT NULL
              ORDER BY o.received_at DESC LIMIT 1)) AS course
     FROM completion c LEFT JOIN run ON run.id = c.run_id LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     WHERE c.id = ${eachOf('$1')} AND c.cells <> '{}' AND (r.run_id IS NULL OR r.cells = '[]'
       AND (r.issuance_id IS NULL OR r.outcome = 'skipped' AND r.changed_fields IS NOT NULL)) ORDER BY c.id`,
    [ids],
  )
  return rows.map((each) => ({
    ...each,
    ...{ header: Object.keys(each.cells), cells: Object.values(each.cells), problems: [] },
  }))
}
type Cells = Readonly<Record<string, string>>

export function tracesOfCells(source: CellsOfPerson, comparisonOf: ComparisonOf, hasher: Hasher): RowTraces {
  const { comparison, read, isConfigured } = readCells(source, comparisonOf)
  const traces = tracesOfRow(source.cells, { read, comparison, isConfigured, learner: source.learner }, hasher)
  return source.isSkipped ? { ...traces, identity: null } : traces
}

/** What is compared of a row to find others of the same person. */
export function recordOfCells(source: CellsOfPerson, comparisonOf: ComparisonOf, id: number): PersonRecord {
  const { comparison, read, isConfigured } = readCells(source, comparisonOf)
  const identifiers = identifiersOfRow(source.cells, { read, comparison, isConfigured, learner: source.learner })
  const name = read && !comparison.nameFields.some((field) => read.invalidFields.has(field))
  return {
    ...{ id, source: '', identityHash: `row ${id}`, identity: null, linked: [], identifiers },
    name: name ? nameIn(read.values, comparison.nameFields) : '',
  }
}

/**
 * Whether a row or a completion is that of a person, by its columns as the pipeline is configured now. What does not fit
 * them any more is read by the titles of its columns, of which only names of fields count. Values that are not valid, or
 * may be in another column, count as well: in the fields of the person they are hardly there by chance.
 */
export function verdictOnCellsOf(
  { pipeline, course, header, cells, ...of }: ScannedCells & { learner?: string | null },
  person: readonly PersonRecord[],
  comparisonOf: ComparisonOf,
): Likeness {
  if (person.length === 0) return 'other'
  const learner = of.learner ?? ''
  const comparison = course === null ? null : comparisonOf(pipeline, course)
  const read = comparison?.readRow?.(header, cells)
  const values = read?.values ?? valuesByTitle(header, cells)
  const own = ownFieldsOf(values, comparison && read ? comparison : comparisonByRoles(values))
  const identifiers = [...own.identifiers, ...addressesIn([learner])]
  return verdictOnRow([...cells, learner], { ...own, identifiers }, person)
}

const valuesByTitle = (header: readonly string[], cells: readonly string[]): Cells =>
  Object.fromEntries(header.map((title, at) => [title, cells[at] ?? '']))

interface ReadCells {
  comparison: PipelineFields
  read: ReadRow | null
  isConfigured: boolean
}

function readCells(source: CellsOfPerson, comparisonOf: ComparisonOf): ReadCells {
  const { pipeline, course, header, cells, problems } = source
  const comparison = course === null ? null : comparisonOf(pipeline, course)
  const isDamaged = problems.some(({ rule }) => damages.includes(rule))
  const read = isDamaged ? null : comparison?.readRow?.(header, cells)
  if (comparison && read) {
    const invalidFields = new Set([...read.invalidFields, ...problems.map(({ field }) => field)])
    return { comparison, read: { ...read, invalidFields }, isConfigured: true }
  }
  const values = valuesByTitle(header, cells)
  const invalidFields = new Set(problems.map(({ column }) => column))
  return {
    comparison: comparisonByRoles(values),
    read: isDamaged ? null : { values, invalidFields },
    isConfigured: false,
  }
}
