// Reads a CSV file as a stream of rows.

import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { type Options, type Parser, parse } from 'csv-parse'
import { readHead } from '#src/sources/read-head.ts'
import type { RawTable, SourceRow } from '#src/sources/source.ts'
import { asRefusal, type Refuse, type SourceError } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { detectDelimiter } from './detect-delimiter.ts'
import { detectEncoding } from './detect-encoding.ts'

const sampleBytes = 65_536
const groupRows = 500

/**
 * Settles encoding and delimiter of the file at `path` and gives its rows, header and blank rows included.
 * Throws SourceError (`encoding`, `delimiter`, `not-a-table`); its rows throw `quote-not-closed` and `record-too-long`,
 * which end the file because nobody can say where the next row begins.
 */
export async function openCsv(
  path: string,
  options: { delimiter?: string | undefined; encoding?: string | undefined },
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const { encoding, notices } = await detectEncoding(path, options.encoding, refuse)
  const head = await readHead(path, sampleBytes)
  const sample = new TextDecoder(encoding).decode(head, { stream: true })
  const sniffed = detectDelimiter(sample, head.length < sampleBytes)
  const delimiter = options.delimiter ?? sniffed.delimiter
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter)) {
    throw refuse(
      'delimiter',
      'The delimiter must be one character and neither a quotation mark nor a line end. Correct it in the configuration.',
    )
  }
  const parser = openParser(path, encoding, parserOptions(delimiter, limits))
  return { format: 'csv', notices, rows: numberRows(parser, sniffed.announced, limits, refuse) }
}

function parserOptions(delimiter: string, limits: SourceLimits): Options {
  return {
    delimiter,
    bom: true,
    // Names are matched by us: as keys of an object a second column of the same name would win in silence.
    columns: false,
    // Left to itself the parser settles on the first line end it meets, and mixed files lose rows.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    // The length is compared with the header by us: a row of the wrong length is that row's error, not the file's.
    relax_column_count: true,
    max_record_size: limits.csvRecordBytes,
    // Blank lines are counted by us, for the number of a row; `info` counts the lines inside quoted cells as well.
    skip_empty_lines: false,
  }
}

function openParser(path: string, encoding: string, options: Options): Parser {
  const bytes = createReadStream(path, { highWaterMark: 65_536 })
  const parser = parse(options)
  // Errors reach the reader of the parser. `bytes.pipe(parser)` would wait for ever when the file cannot be read.
  const ended = () => {}
  // The whole file was found to be UTF-8 before; decoding it again would only cost.
  if (encoding === 'utf-8') pipeline(bytes, parser, ended)
  else pipeline(bytes, (chunks: AsyncIterable<Buffer>) => recode(chunks, encoding), parser, ended)
  return parser
}

async function* recode(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield Buffer.from(text)
  }
  decoder.decode()
}

async function* numberRows(
  parser: Parser,
  announced: boolean,
  limits: SourceLimits,
  refuse: Refuse,
): AsyncGenerator<SourceRow[], void, undefined> {
  // The `sep=` line has no number, as in a spreadsheet program.
  let row = announced ? -1 : 0
  let group: SourceRow[] = []
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row++
      if (row > 0) group.push({ row, cells })
      if (group.length < groupRows) continue
      yield group
      group = []
    }
  } catch (error) {
    throw refuseRecord(error, announced, limits, refuse)
  }
  if (group.length > 0) yield group
}

function refuseRecord(error: unknown, announced: boolean, limits: SourceLimits, refuse: Refuse): SourceError {
  const { code, records } = error as { code?: string; records?: number }
  // The parser counts the records before the one that failed.
  const row = (records ?? 0) + (announced ? 0 : 1)
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return refuse(
      'quote-not-closed',
      `A quotation mark opened in row ${row} is never closed. Close it there and send the file again.`,
    )
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return refuse(
      'record-too-long',
      `Row ${row} is longer than ${limits.csvRecordBytes} bytes, the limit. A quotation mark is probably not closed there.`,
    )
  }
  return asRefusal(
    error,
    refuse,
    'encoding',
    'The file holds bytes that do not fit its encoding. Export it again as UTF-8.',
  )
}
