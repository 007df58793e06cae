// Reads a CSV file as a stream of rows.

import type { Options } from 'csv-parse'
import type { ByteSource } from '#src/files/tables/byte-source.ts'
import type { RawTable } from '#src/files/tables/source.ts'
import type { Refuse } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { detectDelimiter } from './detect-delimiter.ts'
import { detectEncoding } from './detect-encoding.ts'
import { dropMarks } from './drop-marks.ts'
import { numberRows } from './number-rows.ts'
import { parseRecords } from './parse-records.ts'
import { stopLongLines } from './stop-long-lines.ts'

const sampleBytes = 65_536
// The limit of a record counts only its text. A line also has doubled quotation marks and separators.
const lineBytesPerRecordByte = 2

/**
 * Detects encoding and delimiter of the CSV in `bytes` and streams its rows, including header and blank rows.
 * @throws SourceError (`encoding`, `delimiter`, `not-a-table`); its rows throw `quote-not-closed` and
 * `record-too-long`, which end the file because the start of the next row is unknown
 */
export async function openCsv(
  bytes: ByteSource,
  options: { delimiter?: string | undefined; encoding?: string | undefined },
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const notices: string[] = []
  const encoding = await detectEncoding(bytes, options.encoding, refuse)
  const head = await bytes.head(sampleBytes)
  const sample = new TextDecoder(encoding).decode(head, { stream: true }).replace(/^\ufeff+/, '')
  const detected = detectDelimiter(sample, head.length < sampleBytes)
  const declared = options.delimiter ?? detected.delimiter
  if (declared.length !== 1 || /["\r\n]/.test(declared)) {
    throw refuse(
      'delimiter',
      'The delimiter must be one character and neither a quotation mark nor a line end. Correct file.delimiter of the pipeline.',
    )
  }
  const firstLine = sample.split(/[\r\n]/, 1)[0] ?? ''
  const isDeclaredAbsent = !firstLine.includes(declared) && firstLine.includes(detected.delimiter)
  // With the declared delimiter the file would have a single column.
  const delimiter = isDeclaredAbsent ? detected.delimiter : declared
  const lines = stopLongLines(dropMarks(textOf(bytes, encoding)), limits.csvRecordBytes * lineBytesPerRecordByte)
  const records = parseRecords(lines, parserOptions(delimiter, limits))
  if (isDeclaredAbsent)
    notices.push(
      'The first line does not contain the separator that file.delimiter names, so the separator of that line was used.',
    )
  const rows = numberRows(records, detected.announced, limits, refuse, delimiter)
  return { format: 'csv', separator: delimiter, notices, rows }
}

function parserOptions(delimiter: string, limits: SourceLimits): Options {
  return {
    delimiter,
    // Names are matched elsewhere: with names as object keys, a second column of the same name would silently win.
    columns: false,
    // By default the parser adopts the first kind of line end that it finds, and then files with mixed line ends lose
    // rows.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    // The number of cells is compared with the header elsewhere, because a wrong number is a fault of that row, not of
    // the file.
    relax_column_count: true,
    max_record_size: limits.csvRecordBytes,
    // Blank lines are needed for the row numbers. The parser's `info` would also count the lines inside quoted cells.
    skip_empty_lines: false,
  }
}

/**
 * Converts the bytes to UTF-8. The whole file has already been checked against `encoding`, so UTF-8 is passed on
 * without decoding it again.
 */
async function* textOf(bytes: ByteSource, encoding: string): AsyncGenerator<Buffer> {
  yield* encoding === 'utf-8' ? bytes.stream() : recode(bytes.stream(), encoding)
}

async function* recode(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield Buffer.from(text)
  }
  decoder.decode()
}
