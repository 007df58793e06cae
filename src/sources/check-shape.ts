// Holds one row against the header and against what a database can keep.

import { columnLetters } from './column-letters.ts'
import type { RowProblem, SourceRow } from './source.ts'
import { findUnfit, type UnfitCharacters } from './unfit-characters.ts'

const unfitWords: Record<UnfitCharacters, [RowProblem['rule'], string]> = {
  control: ['invalid-characters', 'characters that are not text. Type the cell again and export the file anew.'],
  turning: ['invalid-characters', 'invisible characters that turn the order of letters. Type the cell again.'],
  // A name on a credential would be wrong.
  lost: [
    'lost-characters',
    'the mark of a letter that was lost in an earlier export. Correct it and send the row again.',
  ],
}

/**
 * Gives `row` with its cells cut or filled to `width` columns and with the first problem found, if any. Cells of a bad
 * row are made safe to store: no NUL, no half characters, at most `longest` characters. `exact` asks for a cell in
 * every column, which CSV writes and a workbook does not.
 */
export function checkShape(row: SourceRow, width: number, longest: number, exact: boolean): SourceRow {
  const cells = row.cells
  while (cells.length > width && cells.at(-1) === '') cells.pop()
  const problem = row.problem ?? findTextProblem(cells, longest) ?? findShapeProblem(cells, width, exact)
  while (cells.length < width) cells.push('')
  if (row.kinds) {
    row.kinds.length = Math.min(row.kinds.length, cells.length)
    while (row.kinds.length < cells.length) row.kinds.push('empty')
  }
  if (!problem) return row
  return { ...row, cells: cells.map((cell) => makeStorable(cell, longest)), problem }
}

function findTextProblem(cells: string[], longest: number): RowProblem | undefined {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as string
    if (cell.length > longest) {
      const sentence = `Column ${columnLetters(index)} holds ${cell.length} characters; the limit is ${longest}. Shorten it.`
      return { rule: 'cell-too-long', sentence }
    }
    const unfit = findUnfit(cell)
    if (!unfit) continue
    const [rule, words] = unfitWords[unfit]
    return { rule, sentence: `Column ${columnLetters(index)} holds ${words}` }
  }
  return undefined
}

function findShapeProblem(cells: string[], width: number, exact: boolean): RowProblem | undefined {
  if (cells.length === width || (!exact && cells.length < width)) return undefined
  // An opening quote that is never closed where it should be swallows line ends, and so whole rows.
  const swallowed = cells.some((cell) => cell.includes('\n'))
  const hint = swallowed
    ? 'A cell runs over several lines: look for a quotation mark that is not closed.'
    : 'Look for a missing or an extra separator, or a cell that needs quotation marks.'
  return { rule: 'ragged-row', sentence: `The row has ${cells.length} cells, the header has ${width}. ${hint}` }
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair; a cell that has them is kept for its owner without. */
export function makeStorable(cell: string, longest = Number.POSITIVE_INFINITY): string {
  return cell.slice(0, longest).replaceAll('\0', '\ufffd').toWellFormed()
}
