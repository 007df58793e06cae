// Finds the cell that took the rows below it into itself.

import { columnLetters } from '#src/sources/column-letters.ts'
import type { RowProblem } from '#src/sources/source.ts'
import { linesLikeRow, type TableShape } from './lines-like-row.ts'

const quotationMark = 0x22
const lineEnds = /[\r\n]/
// Shorter ones hold no piece of a row that could be told from a word.
const shortest = 4

/**
 * The problem of a row in which a quotation mark was opened and not closed in its line. The next mark further down then
 * closes it in the wrong place, csv-parse with `relax_quotes` takes all of it as text, and people vanish in a row that
 * may well have the right number of cells. What is left is a cell that begins with a mark and has another one below a
 * line end. A cell that was quoted rightly and whose text looks like that is told from it by nothing, so it is named too.
 */
export function findSwallowed(cells: string[], table: TableShape): RowProblem | undefined {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as string
    if (cell.charCodeAt(0) !== quotationMark) {
      if (cell.length < shortest || !lineEnds.test(cell) || !linesLikeRow(cells, index, table)) continue
      const sentence = `Column ${columnLetters(index)} runs over several lines, and one of them is written like a row of the file: a quotation mark that is not closed has probably taken rows into it. Close it, and send all of them again; or write the text in one line.`
      return { rule: 'ragged-row', sentence }
    }
    const lineEnd = Math.max(cell.lastIndexOf('\n'), cell.lastIndexOf('\r'))
    if (lineEnd < 0 || cell.lastIndexOf('"') < lineEnd) continue
    const sentence = `Column ${columnLetters(index)} begins with a quotation mark that is not closed in its line, so rows below it were taken into it. Close it there, and send all of them again.`
    return { rule: 'ragged-row', sentence }
  }
  return undefined
}
