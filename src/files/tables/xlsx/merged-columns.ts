// Records merged cells below the header. Only the first cell of a merged range has the value that is shown for all of
// it, so the people in the other rows would be sent without that value.

import { columnLetters } from '#src/files/tables/column-letters.ts'
import type { MergedColumn } from '#src/files/tables/source.ts'

const reference = /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/

// Limits the merged ranges within a single row. A footer below the list has a few. If every row has some, reporting the
// first ones is enough.
const maxInOneRow = 2_000

export interface MergedColumns {
  /** Adds a filled row. Rows must be added in ascending order. The first is the header. */
  addRow(row: number): void
  /** Adds a range such as `D2:D4`. Sheets list their ranges after their rows. */
  addRange(range: string): void
  /**
   * Returns, in the order of columns, each column's first range that covers several rows, and the ranges within a
   * single row, up to a limit.
   */
  list(): MergedColumn[]
}

/** @param columns the maximum number of columns; ranges beyond them are ignored */
export function gatherMerged(columns: number): MergedColumns {
  /** The filled rows, the header first. */
  const rows: number[] = []
  const first = new Map<number, string>()
  const inOneRow: MergedColumn[] = []

  /**
   * Returns true if there is a filled row between `top` and `bottom`. If every person has two rows, and all of these
   * are merged, nothing is lost.
   */
  const anyFilled = (top: number, bottom: number) => {
    let low = 1
    let high = Math.max(rows.length, 1)
    while (low < high) {
      const middle = (low + high) >> 1
      if ((rows[middle] as number) < top) low = middle + 1
      else high = middle
    }
    return low < rows.length && (rows[low] as number) <= bottom
  }

  return {
    addRow: (row) => void rows.push(row),
    addRange(range) {
      const [, left = '', top = '', right = '', bottom = ''] = reference.exec(range) ?? []
      if (left === '') return
      const from = columnNumber(left)
      const to = Math.min(columnNumber(right), columns - 1)
      const filledBelow = anyFilled(Number(top) + 1, Number(bottom))
      const filledBeside = filledBelow || anyFilled(Number(top), Number(bottom))
      if (top === bottom && inOneRow.length < maxInOneRow) {
        const row = Number(top)
        for (let column = from + 1; filledBeside && column <= to; column++)
          inOneRow.push({ column, range: plainRange(range), row })
        return
      }
      for (let column = from; column <= to; column++) {
        if ((column === from ? filledBelow : filledBeside) && !first.has(column)) first.set(column, plainRange(range))
      }
    },
    list: () =>
      [...[...first].map(([column, range]) => ({ column, range })), ...inOneRow].sort((a, b) => a.column - b.column),
  }
}

/** Explains that a column that is needed has merged cells. */
export function explainMergedColumn({ column, range }: MergedColumn): string {
  return `The cells ${range} of the sheet are merged, so some rows or columns of this range have no value in column ${columnLetters(column)}. Unmerge them, and write the value into each row.`
}

function plainRange(range: string): string {
  return range.replaceAll('$', '')
}

function columnNumber(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
