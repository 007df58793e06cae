// Formats a table for people: columns aligned by display width, and cut to the terminal's width if there is one. Pure.

import { oneLine } from '#src/platform/one-line.ts'
import { cutToWidth, displayWidth } from './terminal-text.ts'

export interface Column {
  title: string
  /** Never cut, because half an id is useless. */
  whole?: boolean
}

const columnGap = '  '
const minWidth = 8

/**
 * Returns the lines of a table with a heading, without trailing white space. A column that is empty in every row is
 * left out.
 * @param rows as many cells as columns, in their order
 * @param width columns of the terminal; null to cut nothing
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const shownColumns = columns
    .map((column, columnIndex) => ({ ...column, cells: rows.map((row) => oneLine(row[columnIndex] ?? '')) }))
    .filter(({ cells }) => cells.length === 0 || cells.some((cell) => cell !== ''))
    .map((column) => ({ ...column, cells: [column.title, ...column.cells] }))
  const naturalWidths = shownColumns.map(({ cells }) =>
    cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), 0),
  )
  const widths = width === null ? naturalWidths : fittedWidths(naturalWidths, shownColumns, width)
  return Array.from({ length: rows.length + 1 }, (_, line) =>
    shownColumns
      .map(({ cells }, columnIndex) =>
        padded(cutToWidth(cells[line] ?? '', widths[columnIndex] ?? 0), widths[columnIndex] ?? 0),
      )
      .join(columnGap)
      .trimEnd(),
  )
}

/**
 * Narrows the widest column that may be cut until the table fits. If no column can be narrowed further, lines are
 * longer than the terminal is wide.
 */
function fittedWidths(naturalWidths: readonly number[], columns: readonly Column[], width: number): number[] {
  const widths = [...naturalWidths]
  let excess = widths.reduce((sum, each) => sum + each, 0) + columnGap.length * (widths.length - 1) - width
  for (; excess > 0; excess--) {
    let columnIndex = -1
    for (const [index, each] of widths.entries())
      if (!columns[index]?.whole && each > minWidth && each > (widths[columnIndex] ?? 0)) columnIndex = index
    if (columnIndex < 0) break
    widths[columnIndex] = (widths[columnIndex] ?? 0) - 1
  }
  return widths
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}
