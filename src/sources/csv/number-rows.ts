// Numbers the records of a CSV, and stops at what no table has.

import type { Parser } from 'csv-parse'
import type { RowProblem, SourceRow } from '#src/sources/source.ts'
import { asRefusal, type Refuse, type SourceError } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { LongLineError } from './stop-long-lines.ts'
import { findSwallowed } from './swallowed-rows.ts'

const groupRows = 500

/**
 * Gives the records of `parser` as rows in groups. `announced` says that the first one only names the delimiter; it has
 * no number, as in a spreadsheet program. Throws SourceError for what ends the file.
 */
export async function* numberRows(
  parser: Parser,
  announced: boolean,
  limits: SourceLimits,
  refuse: Refuse,
): AsyncGenerator<SourceRow[], void, undefined> {
  let row = announced ? -1 : 0
  let group: SourceRow[] = []
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row++
      if (row < 1) continue
      if (row > limits.rows) {
        throw refuse('limit', `The file goes beyond row ${limits.rows}, the limit. Send it in parts.`)
      }
      if (cells.length > limits.columns) dropEmptyColumns(cells, row, limits, refuse)
      const problem: RowProblem | undefined = findSwallowed(cells)
      group.push(problem ? { row, cells, problem } : { row, cells })
      if (group.length < groupRows) continue
      yield group
      group = []
    }
  } catch (error) {
    throw refuseRecord(error, row, announced, limits, refuse)
  }
  if (group.length > 0) yield group
}

/** At once and not when the row is checked: 500 rows of separators alone would fill the memory until then. */
function dropEmptyColumns(cells: string[], row: number, limits: SourceLimits, refuse: Refuse): void {
  while (cells.length > limits.columns && cells.at(-1) === '') cells.pop()
  if (cells.length <= limits.columns) return
  throw refuse(
    'limit',
    `Row ${row} has ${cells.length} columns; the limit is ${limits.columns}. Delete the columns that are not needed.`,
  )
}

function refuseRecord(
  error: unknown,
  last: number,
  announced: boolean,
  limits: SourceLimits,
  refuse: Refuse,
): SourceError {
  const { code, records } = error as { code?: string; records?: number }
  // The parser counts the records before the one that failed.
  const row = (records ?? 0) + (announced ? 0 : 1)
  const probably = 'A quotation mark is probably not closed there, or it is no table.'
  if (error instanceof LongLineError) {
    const place = last > 0 ? `after row ${last}` : 'at the start'
    return refuse('record-too-long', `A line ${place} is longer than ${error.most} bytes, the limit. ${probably}`)
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return refuse(
      'quote-not-closed',
      `A quotation mark opened in row ${row} is never closed. Close it there and send the file again.`,
    )
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return refuse('record-too-long', `Row ${row} is longer than ${limits.csvRecordBytes} bytes, the limit. ${probably}`)
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return refuse('encoding', 'The file holds bytes that do not fit its encoding. Export it again as UTF-8.')
  }
  return asRefusal(error, refuse, 'damaged', 'The file could not be read to its end. Save it again and send it anew.')
}
