// Finds the merged cells that leave a header without a name. A sheet lists merged cells after all its rows, so this
// search is only worthwhile for a header that is refused.

import { columnLetters } from '#src/files/tables/column-letters.ts'

// The length before the range is limited, because otherwise text with many starts would be searched to its end from
// each of them.
const mergeCell =
  /<(?:\w{1,40}:)?mergeCell\s[^<>]{0,100}?ref\s{0,9}=\s{0,9}["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']/g
// Longer than any such element.
const overlap = 300

/**
 * Finds the range, such as `D1:F1`, of merged cells that cover more than one column and include the cell at `row` (from
 * 1) and `column` (from 0). The XML in `chunks` is only searched, not parsed, so most of the work is inflating it.
 */
export async function findMerge(
  chunks: AsyncIterable<Buffer>,
  row: number,
  column: number,
): Promise<string | undefined> {
  let tail = ''
  for await (const chunk of chunks) {
    const text = tail + chunk.toString('latin1')
    tail = text.slice(-overlap)
    if (!text.includes('mergeCell')) continue
    for (const [, left = '', top, right = '', bottom] of text.matchAll(mergeCell)) {
      const covers = Number(top) <= row && row <= Number(bottom) && left !== right
      if (covers && numberOf(left) <= column && column <= numberOf(right)) return `${left}${top}:${right}${bottom}`
    }
  }
  return undefined
}

/** Explains a header whose cell at `column` is empty because of the merged cells `range`. */
export function explainMerge(range: string, column: number): string {
  return `Column ${columnLetters(column)} has no name because the cells ${range} are merged. Unmerge them, and put a name over each column in the first filled row.`
}

function numberOf(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
