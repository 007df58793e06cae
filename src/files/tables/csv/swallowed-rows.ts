// Finds cells that swallowed the rows below them, because a quotation mark was not closed. Pure.

import { columnLetters } from '#src/files/tables/column-letters.ts'
import type { RowProblem } from '#src/files/tables/source.ts'
import { hasLinesLikeRow, type TableShape } from './lines-like-row.ts'

const quotationMark = 0x22
const lineEnds = /[\r\n]/
// Shorter cells cannot be distinguished from a word.
const minLength = 4

/**
 * Finds the problem of a row in which a quotation mark was opened and not closed in its line. The next quotation mark
 * further down then closes it in the wrong place, csv-parse with `relax_quotes` takes everything between them as text,
 * and people are lost in a row that may have the right number of cells. Such a cell begins with a quotation mark and
 * has another one after a line end, or one of its lines is written like a row (lines-like-row.ts). A correctly quoted
 * cell whose text looks like that cannot be distinguished, so it is reported as well.
 */
export function findSwallowedRows(cells: string[], table: TableShape): RowProblem | undefined {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as string
    if (cell.charCodeAt(0) !== quotationMark) {
      if (cell.length < minLength || !lineEnds.test(cell) || !hasLinesLikeRow(cells, index, table)) continue
      const sentence = `Column ${columnLetters(index)} runs over several lines, and one of these lines is written like a row of the file: a quotation mark that is not closed has probably swallowed rows. Close the quotation mark, and send all these rows again; or write the text on one line.`
      return { rule: 'ragged-row', sentence }
    }
    const lineEnd = Math.max(cell.lastIndexOf('\n'), cell.lastIndexOf('\r'))
    if (lineEnd < 0 || cell.lastIndexOf('"') < lineEnd) continue
    const sentence = `Column ${columnLetters(index)} begins with a quotation mark that is not closed in its line, so the cell swallowed rows below it. Close the quotation mark in that line, and send all these rows again.`
    return { rule: 'ragged-row', sentence }
  }
  return undefined
}
