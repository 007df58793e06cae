// The form in which rows leave the reading thread. As objects with many small texts they cost as much to hand over as to read,
// so the ordinary ones travel as one text for each hundred: to join and to split them is the cheapest of the ways that were
// measured.

import type { CellKind, SourceRow } from './source.ts'

export interface PackedRows {
  /** The numbers of the ordinary rows. */
  numbers: Int32Array
  /** Their cells, those of `textRows` rows in one text. */
  texts: string[]
  /** The kinds of a row's cells, each order of them once; none when the rows have no kinds. */
  patterns: CellKind[][]
  /** For each ordinary row, which of the patterns is its own. */
  patternOf: Uint16Array
  /** The others, mostly rows with a problem, as they are, and how many rows stand before each. */
  odd: { at: number; row: SourceRow }[]
}

// No cell of an ordinary row holds it: it is what is wrong with a row that does.
const separator = '\0'
// A cell that somebody keeps keeps its whole text.
const textRows = 100

/** Packs at most 65,536 rows, of which the ordinary ones have `width` cells and no problem. */
export function packRows(rows: SourceRow[], width: number): PackedRows {
  const numbers: number[] = []
  const texts: string[] = []
  const odd: PackedRows['odd'] = []
  const patterns = openPatterns()
  let cells: string[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as SourceRow
    if (row.problem || row.cells.length !== width) {
      odd.push({ at, row })
      continue
    }
    numbers.push(row.row)
    for (let column = 0; column < width; column++) cells.push(row.cells[column] as string)
    if (row.kinds) patterns.add(row.kinds)
    if (cells.length < width * textRows) continue
    texts.push(cells.join(separator))
    cells = []
  }
  if (cells.length > 0) texts.push(cells.join(separator))
  return { numbers: Int32Array.from(numbers), texts, ...patterns.taken(), odd }
}

/** The rows that were packed, in their order. */
export function unpackRows({ numbers, texts, patterns, patternOf, odd }: PackedRows): SourceRow[] {
  const rows: SourceRow[] = []
  for (const text of texts) {
    const cells = text.split(separator)
    const count = Math.min(textRows, numbers.length - rows.length)
    const width = cells.length / count
    if (!Number.isInteger(width)) throw new Error('Rows of a reading thread do not come apart.')
    for (let start = 0; start < cells.length; start += width) {
      const index = rows.length
      const row: SourceRow = { row: numbers[index] as number, cells: cells.slice(start, start + width) }
      if (patterns.length > 0) row.kinds = [...(patterns[patternOf[index] as number] as CellKind[])]
      rows.push(row)
    }
  }
  // In rising order, so that each finds its place among those before it.
  for (const { at, row } of odd) rows.splice(at, 0, row)
  return rows
}

/** Most rows of a table have cells of the same kinds. */
function openPatterns() {
  const patterns: CellKind[][] = []
  const places = new Map<string, number>()
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
      const place = places.get(key) ?? patterns.push(kinds) - 1
      places.set(key, place)
      patternOf.push(place)
    },
    taken: () => ({ patterns, patternOf: Uint16Array.from(patternOf) }),
  }
}
