// Checks the number of cells in a row against the header, and the length of its cells. Pure.

import { columnLetters } from './column-letters.ts'
import type { RowProblem, SourceRow } from './source.ts'

/**
 * Trims or pads the cells of `row` to `width` columns and adds the first problem found, if any. The cells of a row with
 * a problem are made safe to store: no NUL, no unpaired surrogates, at most `maxLength` characters.
 * @param separator that of a CSV, in which a row must have a cell in every column, unlike in a workbook
 */
export function checkShape(row: SourceRow, width: number, maxLength: number, separator?: string): SourceRow {
  const cells = row.cells
  while (cells.length > width && cells.at(-1) === '') cells.pop()
  const problem = row.problem ?? findLongCell(cells, maxLength) ?? findShapeProblem(cells, width, separator)
  while (cells.length < width) cells.push('')
  if (row.kinds) {
    row.kinds.length = Math.min(row.kinds.length, cells.length)
    while (row.kinds.length < cells.length) row.kinds.push('empty')
  }
  if (!problem) return row
  return { ...row, cells: cells.map((cell) => makeStorable(cell, maxLength)), problem }
}

function findLongCell(cells: readonly string[], maxLength: number): RowProblem | undefined {
  const index = cells.findIndex((cell) => cell.length > maxLength)
  if (index < 0) return undefined
  const sentence = `Column ${columnLetters(index)} contains a cell of ${cells[index]?.length} characters; the limit is ${maxLength}. Shorten the cell.`
  return { rule: 'cell-too-long', sentence }
}

function findShapeProblem(cells: string[], width: number, separator?: string): RowProblem | undefined {
  if (cells.length === width || (separator === undefined && cells.length < width)) return undefined
  if (cells.length === 1 && cells[0]?.split(separator ?? '').length === width) {
    const sentence = 'The whole row is inside quotation marks, so it is one cell. Remove the marks around the row.'
    return { rule: 'ragged-row', sentence }
  }
  // A quotation mark that is not closed where it should be swallows line ends, and with them whole rows.
  const swallowed = cells.some((cell) => cell.includes('\n'))
  const hint = swallowed
    ? 'A cell runs over several lines: look for a quotation mark that is not closed.'
    : 'Look for a missing or an extra separator, or a cell that needs quotation marks. If only empty cells at the end are missing, save it as .xlsx, or give the last column a value in every row.'
  return { rule: 'ragged-row', sentence: `The row has ${cells.length} cells, the header has ${width}. ${hint}` }
}

/**
 * Removes what PostgreSQL cannot store (NUL and unpaired surrogates), so that the rest of the cell is kept for its
 * owner.
 */
export function makeStorable(cell: string, maxLength = Number.POSITIVE_INFINITY): string {
  return cell.slice(0, maxLength).replaceAll('\0', '\ufffd').toWellFormed()
}
