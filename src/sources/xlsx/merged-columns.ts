// Merged cells under the header: only the first cell of a range has the value that a person sees in all of them, so whoever
// stands in the other rows would be sent without it.

import { columnLetters } from '#src/sources/column-letters.ts'
import type { MergedColumn } from '#src/sources/source.ts'

const reference = /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/

// A line below the list has a few. Where each row has some, the first says enough.
const mostInOneRow = 2_000

export interface MergedColumns {
  /** A filled row, in rising order. The first is the header, about which `findMerge` tells. */
  addRow(row: number): void
  /** A range such as `D2:D4`; sheets list theirs behind their rows. */
  addRange(range: string): void
  /** In the order of columns: the first range over several rows of each, and every one that lies in a single row, unless they are many. */
  found(): MergedColumn[]
}

/** @param columns of the sheet, at most: those beyond are not looked at */
export function gatherMerged(columns: number): MergedColumns {
  let rows = new Int32Array(1_024)
  let count = -1
  const first = new Map<number, string>()
  const inOneRow: MergedColumn[] = []

  /** Whether a filled row is among `top` to `bottom`: two rows for each person, all of them merged, lose nothing. */
  const anyFilled = (top: number, bottom: number) => {
    let low = 0
    let high = Math.max(count, 0)
    while (low < high) {
      const middle = (low + high) >> 1
      if ((rows[middle] as number) < top) low = middle + 1
      else high = middle
    }
    return low < count && (rows[low] as number) <= bottom
  }

  return {
    addRow(row) {
      if (count < 0) {
        count = 0
        return
      }
      if (count === rows.length) {
        const longer = new Int32Array(count * 2)
        longer.set(rows)
        rows = longer
      }
      rows[count++] = row
    },
    addRange(range) {
      const [, left = '', top = '', right = '', bottom = ''] = reference.exec(range) ?? []
      if (left === '') return
      const from = columnNumber(left)
      const to = Math.min(columnNumber(right), columns - 1)
      const below = anyFilled(Number(top) + 1, Number(bottom))
      const beside = below || anyFilled(Number(top), Number(bottom))
      if (top === bottom && inOneRow.length < mostInOneRow) {
        const row = Number(top)
        for (let column = from + 1; beside && column <= to; column++)
          inOneRow.push({ column, range: plainRange(range), row })
        return
      }
      for (let column = from; column <= to; column++) {
        if ((column === from ? below : beside) && !first.has(column)) first.set(column, plainRange(range))
      }
    },
    found: () =>
      [...[...first].map(([column, range]) => ({ column, range })), ...inOneRow].sort((a, b) => a.column - b.column),
  }
}

/** What to tell about a file in which a column that matters has merged cells. */
export function explainMergedColumn({ column, range }: MergedColumn): string {
  return `The cells ${range} of the sheet are merged, so rows or columns in there have no value of their own in column ${columnLetters(column)}. Unmerge them, and write the value into each row.`
}

function plainRange(range: string): string {
  return range.replaceAll('$', '')
}

function columnNumber(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
