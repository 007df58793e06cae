// Checks one row against the width of the header and against what a database can store. Pure.

import { columnLetters } from './column-letters.ts'
import type { RowProblem, SourceRow } from './source.ts'

// Control characters except tab and line ends (C1 too, which appear when an encoding was mistaken for another),
// unpaired surrogates, Unicode noncharacters and U+FFFD. A single cheap test for every cell. It also matches valid
// emoji, because it does not distinguish paired surrogates; the exact tests follow.
const suspicious =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffd-\uffff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/
const reordering = /[\u202a-\u202e\u2066-\u2069]/

type ForbiddenCharacters = 'control' | 'reordering' | 'lost'

/**
 * Returns the first kind of characters in `text` that no cell and no column name may contain. `control` characters
 * cannot be displayed or stored, `reordering` characters display letters in another order than they are stored, and
 * `lost` is the replacement character that an earlier program wrote for a letter it could not read.
 */
export function findForbidden(text: string): ForbiddenCharacters | undefined {
  if (!suspicious.test(text)) return undefined
  if (controls.test(text) || !text.isWellFormed()) return 'control'
  if (reordering.test(text)) return 'reordering'
  return text.includes('\ufffd') ? 'lost' : undefined
}

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
