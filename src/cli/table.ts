// A table for people: its columns aligned by what a terminal shows, and cut to the terminal's width where there is one. Pure.

import { cutToWidth, displayWidth, oneLine } from './display-width.ts'

export interface Column {
  title: string
  /** Never cut: half an id is none. */
  whole?: boolean
}

const between = '  '
const narrowest = 8

/**
 * Lines of a table with a heading, without white space at their ends. A column that is empty in every row is left out.
 * @param rows as many cells as columns, in their order
 * @param width columns of the terminal; null where nothing is to be cut
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const filled = columns
    .map((column, at) => ({ ...column, cells: rows.map((row) => oneLine(row[at] ?? '')) }))
    .filter(({ cells }) => cells.length === 0 || cells.some((cell) => cell !== ''))
    .map((column) => ({ ...column, cells: [column.title, ...column.cells] }))
  const natural = filled.map(({ cells }) => cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), 0))
  const widths = width === null ? natural : fitted(natural, filled, width)
  return Array.from({ length: rows.length + 1 }, (_, line) =>
    filled
      .map(({ cells }, at) => padded(cutToWidth(cells[line] ?? '', widths[at] ?? 0), widths[at] ?? 0))
      .join(between)
      .trimEnd(),
  )
}

/** The widest column that may be cut gives way first. What still does not fit then runs over the edge, as text does. */
function fitted(natural: readonly number[], columns: readonly Column[], width: number): number[] {
  const widths = [...natural]
  let over = widths.reduce((sum, each) => sum + each, 0) + between.length * (widths.length - 1) - width
  for (; over > 0; over--) {
    let at = -1
    for (const [index, each] of widths.entries())
      if (!columns[index]?.whole && each > narrowest && each > (widths[at] ?? 0)) at = index
    if (at < 0) break
    widths[at] = (widths[at] ?? 0) - 1
  }
  return widths
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}
