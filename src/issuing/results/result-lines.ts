// Converts a row of the ledger into a line of a results file or of an invalid-rows file, and chooses the format of a
// results file. Pure.

import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import {
  findAddedColumns,
  fixColumn,
  outcomeColumns,
  problemColumns,
  uniqueNames,
} from '#src/files/tables/added-columns.ts'
import { maxWorkbookRows } from '#src/files/tables/source-limits.ts'
import type { TableCell } from '#src/files/tables/table-cell.ts'
import type { ResultRow } from '#src/ledger/runs/write-backs.ts'

/**
 * The source's columns first, in their order, then our columns. If a name is already taken, our column gets a different
 * one.
 */
export function resultHeader(source: readonly string[]): string[] {
  return [...source, ...uniqueNames(source, outcomeColumns)]
}

/** Columns that credsync added to an earlier file are replaced, not repeated. */
export function invalidHeader(source: readonly string[]): string[] {
  const sourceColumns = withoutAddedColumns(source, source)
  return [...uniqueNames(sourceColumns, problemColumns), ...sourceColumns, ...uniqueNames(sourceColumns, [fixColumn])]
}

/**
 * The line of a forgotten person keeps its position but shows no data about the person. The link to the credential is
 * left out too, because the page behind it names the person.
 * @param source the header of the source
 */
export function resultLine(row: ResultRow, source: readonly string[]): TableCell[] {
  if (row.forgottenAt)
    return [...source.map(() => ''), 'forgotten', ...issuedColumns.map(() => ''), forgottenOn(row.forgottenAt)]
  const issued = [row.credentialId, row.verifierLink, row.issueDate, row.validTill].map((value) => value ?? '')
  return [
    ...withOriginalTypes(padded(row.cells, source.length), row.raw ?? []),
    statusOf(row),
    ...(wasIssued(row) && !row.changedFields ? issued : issued.map(() => '')),
    reasonOf(row),
  ]
}

/** The columns of `outcomeColumns` between the status and the reason. */
const issuedColumns = outcomeColumns.slice(1, -1)

/** @param source the header of the source */
export function invalidLine(row: ResultRow, source: readonly string[]): string[] {
  if (row.forgottenAt) {
    const sentence = `${forgottenOn(row.forgottenAt)}; leave this line out when you submit the file again`
    return [String(row.row), '', 'forgotten', sentence, ...withoutAddedColumns(source, source).map(() => ''), '']
  }
  const violations = row.violations ?? []
  const joinDistinct = (pick: (violation: (typeof violations)[number]) => string, separator: string) =>
    [...new Set(violations.map(pick))].filter(Boolean).join(separator)
  return [
    String(row.row),
    joinDistinct((v) => v.column, '; '),
    joinDistinct((v) => v.rule, '; '),
    joinDistinct((v) => v.sentence, ' '),
    ...withoutAddedColumns(source, padded(row.cells, source.length)),
    resubmissionMarker(row, source),
  ]
}

/** Returns the text shown for a row whose data were deleted. */
function forgottenOn(at: Date): string {
  return `forgotten on ${at.toISOString().slice(0, 10)}`
}

/**
 * Details of a credential are shown only once it is issued. For a row that is held, for example, the report may show
 * somebody else's credential.
 */
function wasIssued(row: ResultRow): boolean {
  return row.state === 'issued' || row.state === 'revoked'
}

/**
 * A skipped row shows the state of the known credential, so that the user does not have to look it up. A changed row
 * does not, because the credential may be somebody else's.
 */
function statusOf(row: ResultRow): string {
  if (row.outcome === 'invalid') return 'invalid'
  if (row.changedFields) return 'changed'
  return row.outcome === 'skipped' ? 'skipped' : (row.state ?? '')
}

function reasonOf(row: ResultRow): string {
  if (row.outcome === 'invalid') return (row.violations ?? []).map((violation) => violation.sentence).join(' ')
  if (row.changedFields || row.issuanceId === null) return row.skipReason ?? ''
  if (row.outcome === 'skipped') return `${row.skipReason ?? 'already known'}; state: ${row.state}`
  return row.reason ?? ''
}

/**
 * Pads or cuts the cells to the width of the header, so that the added columns stay under their titles in a ragged row.
 */
function padded(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index] ?? '')
}

/** Restores the original type of workbook cells that were not text. */
function withOriginalTypes(cells: string[], raw: NonNullable<ResultRow['raw']>): TableCell[] {
  const typedCells: TableCell[] = cells
  for (const [column, value, format] of raw) {
    const text = cells[column]
    if (text) typedCells[column] = { text, value, format }
  }
  return typedCells
}

/** Returns the `cells` whose columns in `source` were not added by credsync. */
function withoutAddedColumns(source: readonly string[], cells: readonly string[]): string[] {
  const { all } = findAddedColumns(source)
  return cells.filter((_, index) => !all.has(index))
}

// Rules whose violations are not visible in the written row: cells were cut or padded to the width of the header, a
// workbook cannot contain the characters, a cell's type was lost when it became text, or the row conflicts with other
// rows.
const invisibleRules = new Set([
  'ragged-row',
  'invalid-characters',
  'cell-too-long',
  'formula-without-value',
  'number_lost_zeros',
  'number_format',
  'date_cell',
  'boolean_cell',
  'unique',
  'person_twice',
])

/**
 * Returns the marker of a rejected row, which prevents the row from being accepted if it is resubmitted unchanged. The
 * marker is the text for the column that the user must empty, or an empty string if the next check will find the
 * violation again. Cells beyond the header are included, because they are not kept anywhere else. A row that is
 * resubmitted with its marker keeps the marker.
 * @param source the header of the source
 */
function resubmissionMarker(row: ResultRow, source: readonly string[]): string {
  const keptMarkers = findAddedColumns(source).toEmpty.map((index) => row.cells[index] ?? '')
  const invisible = (row.violations ?? []).filter(({ rule }) => invisibleRules.has(rule))
  const surplus = row.cells.slice(source.length).filter((cell) => cell !== '')
  const reasons = [
    ...keptMarkers,
    ...invisible.map(({ rule, field }) => describeRule(rule, field)),
    ...(surplus.length > 0 ? [`cells beyond the last column: ${surplus.join(' | ')}`] : []),
  ]
  return [...new Set(reasons.filter((reason) => reason.trim() !== ''))].join('; ')
}

interface ResultFormat {
  format: 'csv' | 'xlsx'
  /** The separator of the source, so that the user's program splits the columns in the same way. Default: a comma. */
  separator?: string
}

/** Returns the format of a results file: the format of the source, except that a large workbook gets CSV results. */
export function resultFormat(run: {
  format: 'csv' | 'xlsx' | null
  separator: string | null
  rows: number
}): ResultFormat {
  if (run.format === 'xlsx' && run.rows <= maxWorkbookRows) return { format: 'xlsx' }
  return { format: 'csv', ...(run.separator !== null && { separator: run.separator }) }
}
