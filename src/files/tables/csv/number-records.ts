// Turns the records of a CSV into numbered rows, within the limits on rows and columns, and explains why a record ends
// the file.

import { isFilled } from '#src/files/tables/column-letters.ts'
import type { RowProblem, SourceRow } from '#src/files/tables/source.ts'
import { type SourceError, toRefusal } from '#src/files/tables/source-error.ts'
import { limitEmptyCells, type TableReading } from '#src/files/tables/source-limits.ts'
import { UnfinishedCopyError } from './drop-byte-order-marks.ts'
import { LongLineError } from './long-lines.ts'
import { findSwallowedRows } from './swallowed-rows.ts'
import { unquoteSpaced } from './unquote-spaced.ts'

/**
 * Converts groups of `records` to groups of rows.
 * @param announced whether the first record only names the delimiter; it then gets no number, as in a spreadsheet
 * program
 * @throws SourceError for an error that ends the file
 */
export async function* numberRecords(
  records: AsyncIterable<string[][]>,
  announced: boolean,
  reading: TableReading,
  delimiter: string,
): AsyncGenerator<SourceRow[], void, undefined> {
  const { limits, refuse } = reading
  const emptyCells = limitEmptyCells(reading)
  const table = { width: 0, delimiter, spaced: false }
  let row = announced ? -1 : 0
  try {
    for await (const group of records) {
      const rows: SourceRow[] = []
      for (const cells of group) {
        row++
        if (row < 1) continue
        if (row > limits.rows) {
          throw refuse('limit', `The file has more rows than the limit of ${limits.rows}. Split it into smaller files.`)
        }
        if (isFilled(cells)) {
          emptyCells.reset()
          if (table.width === 0) Object.assign(table, shapeOf(cells))
        } else emptyCells.add(cells.length)
        if (cells.length > limits.columns) dropEmptyColumns(cells, row, reading)
        const problem: RowProblem | undefined = findSwallowedRows(cells, table) ?? unquoteSpaced(cells)
        rows.push(problem ? { row, cells, problem } : { row, cells })
      }
      yield rows
    }
  } catch (error) {
    throw refuseRecord(error, row, announced, reading)
  }
}

/** Returns the shape of a table, from its header without the unnamed columns at its end. */
function shapeOf(cells: readonly string[]): { width: number; spaced: boolean } {
  const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1
  const [, ...others] = cells.slice(0, width)
  return { width, spaced: others.length > 0 && others.every((cell) => /^\s/.test(cell)) }
}

/**
 * Drops empty columns beyond the limit. This is done before the row is checked, because until then 500 rows that
 * consist only of separators would fill the memory.
 */
function dropEmptyColumns(cells: string[], row: number, { limits, refuse }: TableReading): void {
  while (cells.length > limits.columns && cells.at(-1) === '') cells.pop()
  if (cells.length <= limits.columns) return
  throw refuse(
    'limit',
    `Row ${row} has ${cells.length} columns; the limit is ${limits.columns}. Delete the columns that are not needed.`,
  )
}

function refuseRecord(
  error: unknown,
  lastRow: number,
  announced: boolean,
  { limits, refuse }: TableReading,
): SourceError {
  const { code, records } = error as { code?: string; records?: number }
  // The parser counts the records before the one that failed.
  const row = (records ?? 0) + (announced ? 0 : 1)
  const probableCause = 'A quotation mark is probably not closed there, or the file is not a table.'
  if (error instanceof LongLineError) {
    const location = lastRow > 0 ? `after row ${lastRow}` : 'at the start'
    return refuse(
      'record-too-long',
      `A line ${location} is longer than the limit of ${error.maxBytes} bytes. ${probableCause}`,
    )
  }
  if (error instanceof UnfinishedCopyError) {
    return refuse('damaged', 'The file ends in zero bytes: it was not copied to its end. Copy or export it again.')
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return refuse(
      'quote-not-closed',
      `A quotation mark opened in row ${row} is never closed. Close it there and send the file again.`,
    )
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return refuse(
      'record-too-long',
      `Row ${row} is longer than the limit of ${limits.csvRecordBytes} bytes. ${probableCause}`,
    )
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return refuse('encoding', 'The file contains bytes that are invalid in its encoding. Export it again as UTF-8.')
  }
  return toRefusal(error, refuse)
}
