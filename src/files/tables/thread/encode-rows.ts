// Encodes rows for the transfer from the reading thread. As objects with many small strings, rows would cost as much to
// transfer as to read. So one string carries a hundred ordinary rows: joining and splitting was the fastest way
// measured. Pure.

import type { CellKind, SourceRow } from '../source.ts'

export interface EncodedRows {
  /** The row numbers of the ordinary rows. */
  numbers: Int32Array
  /** The cells of the ordinary rows, joined into one string per `textRows` rows. */
  texts: string[]
  /** The distinct sequences of cell kinds; empty if the rows have no kinds. */
  patterns: CellKind[][]
  /** For each ordinary row, the index of its pattern. */
  patternOf: Uint16Array
  /** The raw values of each ordinary row, an empty string for a row without any; empty if no row has any. */
  raws: string[]
  /** The other rows, usually with a problem, each unchanged and with its index. */
  others: { at: number; row: SourceRow }[]
}

// Does not occur in ordinary rows, because a cell that contains it is a problem.
const separator = '\0'
// Not more rows, because a string stays in memory as long as any cell that was cut from it.
const textRows = 100

/** Encodes at most 65,536 rows. Ordinary rows have `width` cells and no problem. */
export function encodeRows(rows: SourceRow[], width: number): EncodedRows {
  const numbers: number[] = []
  const texts: string[] = []
  const others: EncodedRows['others'] = []
  const patterns = openPatterns()
  const raws: string[] = []
  let cells: string[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as SourceRow
    if (row.problem || row.cells.length !== width) {
      others.push({ at, row })
      continue
    }
    numbers.push(row.row)
    for (let column = 0; column < width; column++) cells.push(row.cells[column] as string)
    if (row.kinds) patterns.add(row.kinds)
    raws.push(row.raw ?? '')
    if (cells.length < width * textRows) continue
    texts.push(cells.join(separator))
    cells = []
  }
  if (cells.length > 0) texts.push(cells.join(separator))
  return {
    numbers: Int32Array.from(numbers),
    texts,
    ...patterns.encoded(),
    raws: raws.some(Boolean) ? raws : [],
    others,
  }
}

/** Decodes the rows in their original order. */
export function decodeRows({ numbers, texts, patterns, patternOf, raws, others }: EncodedRows): SourceRow[] {
  const rows: SourceRow[] = []
  for (const text of texts) {
    const cells = text.split(separator)
    const count = Math.min(textRows, numbers.length - rows.length)
    const width = cells.length / count
    if (!Number.isInteger(width)) throw new Error('The rows of a reading thread could not be decoded.')
    for (let start = 0; start < cells.length; start += width) {
      const index = rows.length
      const row: SourceRow = { row: numbers[index] as number, cells: cells.slice(start, start + width) }
      if (patterns.length > 0) row.kinds = [...(patterns[patternOf[index] as number] as CellKind[])]
      const raw = raws[index]
      if (raw) row.raw = raw
      rows.push(row)
    }
  }
  // In ascending order, so that each row is inserted after those that precede it.
  for (const { at, row } of others) rows.splice(at, 0, row)
  return rows
}

/** Stores each sequence of kinds once, because most rows of a table have the same one. */
function openPatterns() {
  const patterns: CellKind[][] = []
  const patternIndexes = new Map<string, number>()
  const patternOf: number[] = []
  let last: CellKind[] = []
  return {
    add(kinds: CellKind[]): void {
      if (patternOf.length > 0 && kinds.every((kind, index) => kind === last[index])) {
        patternOf.push(patternOf.at(-1) as number)
        return
      }
      last = kinds
      const key = kinds.join()
      const patternIndex = patternIndexes.get(key) ?? patterns.push(kinds) - 1
      patternIndexes.set(key, patternIndex)
      patternOf.push(patternIndex)
    },
    encoded: () => ({ patterns, patternOf: Uint16Array.from(patternOf) }),
  }
}
