// Formats a table for people, with aligned columns. Pure.

import { oneLine } from '#src/platform/text.ts'

const columnGap = '  '

/**
 * Returns the lines of a table with a heading, without trailing white space. A column that is empty in every row is
 * left out. Nothing is cut, because half an id is useless.
 * @param rows as many cells as titles, in their order
 */
export function tableLines(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const columns = titles
    .map((title, column) => [title, ...rows.map((row) => oneLine(row[column] ?? ''))])
    .filter(([, ...cells]) => cells.length === 0 || cells.some((cell) => cell !== ''))
    .map((cells) => {
      const width = cells.reduce((widest, cell) => Math.max(widest, cell.length), 0)
      return cells.map((cell) => cell.padEnd(width))
    })
  return Array.from({ length: rows.length + 1 }, (_, line) =>
    columns
      .map((cells) => cells[line])
      .join(columnGap)
      .trimEnd(),
  )
}
