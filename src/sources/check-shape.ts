// Holds one row against the header and against what a database can keep.

import { columnLetters } from './column-letters.ts'
import type { RowProblem, SourceRow } from './source.ts'

// One cheap test for every cell; only what it finds is looked at closely. A valid emoji is found too and then passes.
const suspicious = /[\0\ufffd\ud800-\udfff]/

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
    const column = columnLetters(index)
    if (cell.length > longest) {
      const sentence = `Column ${column} holds ${cell.length} characters; the limit is ${longest}. Shorten it.`
      return { rule: 'cell-too-long', sentence }
    }
    if (!suspicious.test(cell)) continue
    if (cell.includes('\0') || !cell.isWellFormed()) {
      const sentence = `Column ${column} holds characters that are not text. Type the cell again and export the file anew.`
      return { rule: 'invalid-characters', sentence }
    }
    // A program before us already replaced a letter it could not read; a name on a credential would be wrong.
    if (cell.includes('\ufffd')) {
      const sentence = `Column ${column} holds the mark of a letter that was lost in an earlier export. Correct it and send the row again.`
      return { rule: 'lost-characters', sentence }
    }
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

function makeStorable(cell: string, longest: number): string {
  return cell.slice(0, longest).replaceAll('\0', '\ufffd').toWellFormed()
}
