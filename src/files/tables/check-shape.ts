// Checks one row against the width of the header and against what a database can store. Pure.

import { columnLetters } from './column-letters.ts'
import { type ForbiddenCharacters, findForbidden } from './forbidden-characters.ts'
import type { RowProblem, SourceRow } from './source.ts'

const forbiddenMessages: Record<ForbiddenCharacters, [RowProblem['rule'], string]> = {
  control: ['invalid-characters', 'characters that are not text. Type the cell again and export the file again.'],
  reordering: ['invalid-characters', 'invisible characters that change the order of letters. Type the cell again.'],
  // Refused, because a name with such a character would be wrong on a credential.
  lost: [
    'lost-characters',
    'the mark of a letter that was lost in an earlier export. Correct the letter and send the row again.',
  ],
}

/**
 * Trims or pads the cells of `row` to `width` columns and adds the first problem found, if any. The cells of a row with
 * a problem are made safe to store: no NUL, no unpaired surrogates, at most `maxLength` characters.
 * @param separator that of a CSV, in which a row must have a cell in every column, unlike in a workbook
 */
export function checkShape(row: SourceRow, width: number, maxLength: number, separator?: string): SourceRow {
  const cells = row.cells
  while (cells.length > width && cells.at(-1) === '') cells.pop()
  const problem = row.problem ?? findTextProblem(cells, maxLength) ?? findShapeProblem(cells, width, separator)
  while (cells.length < width) cells.push('')
  if (row.kinds) {
    row.kinds.length = Math.min(row.kinds.length, cells.length)
    while (row.kinds.length < cells.length) row.kinds.push('empty')
  }
  if (!problem) return row
  return { ...row, cells: cells.map((cell) => makeStorable(cell, maxLength)), problem }
}

function findTextProblem(cells: string[], maxLength: number): RowProblem | undefined {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as string
    if (cell.length > maxLength) {
      const sentence = `Column ${columnLetters(index)} contains a cell of ${cell.length} characters; the limit is ${maxLength}. Shorten the cell.`
      return { rule: 'cell-too-long', sentence }
    }
    const forbidden = findForbidden(cell)
    if (!forbidden) continue
    const [rule, words] = forbiddenMessages[forbidden]
    return { rule, sentence: `Column ${columnLetters(index)} contains ${words}` }
  }
  return undefined
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
