// Builds the resubmission marker of a rejected row, which prevents the row from being accepted if it is resubmitted
// unchanged. Pure.

import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { findAddedColumns } from '#src/files/tables/added-columns.ts'
import type { ResultRow } from '#src/ledger/runs/write-backs.ts'

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
 * Returns the text for the column that the user must empty; an empty string if the next check will find the violation
 * again. Cells beyond the header are included, because they are not kept anywhere else. A row that is resubmitted with
 * its marker keeps the marker.
 * @param source the header of the source
 */
export function resubmissionMarker(row: ResultRow, source: readonly string[]): string {
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
