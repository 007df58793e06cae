// Numbers the records of a CSV, enforces the limits on rows, columns and lines, and finds cells that swallowed the rows
// below them. Touches only the records and the text that it is given.

import { columnLetters, isFilled } from '#src/files/tables/column-letters.ts'
import type { RowProblem, SourceRow } from '#src/files/tables/source.ts'
import { type SourceError, toRefusal } from '#src/files/tables/source-error.ts'
import { limitEmptyCells, type TableReading } from '#src/files/tables/source-limits.ts'
import { UnfinishedCopyError } from './drop-marks.ts'
import { hasLinesLikeRow, type TableShape } from './lines-like-row.ts'
import { unquoteSpaced } from './unquote-spaced.ts'

/**
 * Converts groups of `records` to groups of rows.
 * @param announced whether the first record only names the delimiter; it then gets no number, as in a spreadsheet
 * program
 * @throws SourceError for an error that ends the file
 */
export async function* numberRows(
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

const quotationMark = 0x22
const lineEnds = /[\r\n]/
// Shorter cells cannot be distinguished from a word.
const minLength = 4

/**
 * Finds the problem of a row in which a quotation mark was opened and not closed in its line. The next quotation mark
 * further down then closes it in the wrong place, csv-parse with `relax_quotes` takes everything between them as text,
 * and people are lost in a row that may have the right number of cells. Such a cell begins with a quotation mark and
 * has another one after a line end, or one of its lines is written like a row (lines-like-row.ts). A correctly quoted
 * cell whose text looks like that cannot be distinguished, so it is reported as well.
 */
function findSwallowedRows(cells: string[], table: TableShape): RowProblem | undefined {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as string
    if (cell.charCodeAt(0) !== quotationMark) {
      if (cell.length < minLength || !lineEnds.test(cell) || !hasLinesLikeRow(cells, index, table)) continue
      const sentence = `Column ${columnLetters(index)} runs over several lines, and one of these lines is written like a row of the file: a quotation mark that is not closed has probably swallowed rows. Close the quotation mark, and send all these rows again; or write the text on one line.`
      return { rule: 'ragged-row', sentence }
    }
    const lineEnd = Math.max(cell.lastIndexOf('\n'), cell.lastIndexOf('\r'))
    if (lineEnd < 0 || cell.lastIndexOf('"') < lineEnd) continue
    const sentence = `Column ${columnLetters(index)} begins with a quotation mark that is not closed in its line, so the cell swallowed rows below it. Close the quotation mark in that line, and send all these rows again.`
    return { rule: 'ragged-row', sentence }
  }
  return undefined
}

/** Thrown if a line of the text is longer than `maxBytes`. */
class LongLineError extends Error {
  override name = 'LongLineError'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`A line is longer than ${maxBytes} bytes.`)
    this.maxBytes = maxBytes
  }
}

/**
 * Passes UTF-8 `chunks` on until a line is longer than `maxBytes`. csv-parse's own limit counts only the content of
 * cells: 50 MB of separators became 50 million cells and 1.7 GB.
 * @throws LongLineError
 */
export async function* stopLongLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const text of chunks) {
    const end = Math.max(text.lastIndexOf(0x0a), text.lastIndexOf(0x0d))
    length = end < 0 ? length + text.length : text.length - end - 1
    if (length > maxBytes) throw new LongLineError(maxBytes)
    if (text.length > 0) yield text
  }
}
