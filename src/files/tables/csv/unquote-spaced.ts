// Reads cells that have blanks between their quotation marks and the separators, as in a list that was typed by hand.
// csv-parse takes such marks as text; with its option `trim` it refuses the whole file for a value like "Bo" and "Jo".

import { columnLetters } from '#src/files/tables/column-letters.ts'
import type { RowProblem } from '#src/files/tables/source.ts'

const spaced = /^[ \t]*"((?:[^"\r\n]|"")*)"[ \t]*$/
const endsSpaced = /[ \t]$/
const startsSpaced = /^[ \t]+"/
const [tab, blank, quotationMark] = [0x09, 0x20, 0x22]

/**
 * Replaces such `cells` by what is between their marks. Returns the problem of a row in which a separator or a line end
 * between such marks has split the cell.
 */
export function unquoteSpaced(cells: string[]): RowProblem | undefined {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as string
    const first = cell.charCodeAt(0)
    // A value that has marks itself begins with one, too: in the file they are doubled.
    if (first === quotationMark ? !endsSpaced.test(cell) : first !== blank && first !== tab) continue
    const text = spaced.exec(cell)?.[1]
    if (text !== undefined) cells[index] = text.replaceAll('""', '"')
    else if (startsSpaced.test(cell) && cell.split('"').length % 2 === 0) {
      const sentence = `Column ${columnLetters(index)} has a blank before its quotation mark, so the mark does not hold the cell together. Remove the blank.`
      return { rule: 'ragged-row', sentence }
    }
  }
  return undefined
}
