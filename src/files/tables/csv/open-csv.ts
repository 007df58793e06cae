// Reads a CSV file as a stream of rows, after it has detected the encoding and the delimiter.

import { type Options, parse } from 'csv-parse'
import type { ByteSource } from '#src/files/tables/byte-source.ts'
import type { RawTable } from '#src/files/tables/source.ts'
import type { SourceLimits, TableReading } from '#src/files/tables/source-limits.ts'
import { detectEncoding } from './detect-encoding.ts'
import { dropMarks } from './drop-byte-order-marks.ts'
import { stopLongLines } from './long-lines.ts'
import { numberRecords } from './number-records.ts'

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
  reading: TableReading,
): Promise<RawTable> {
  const { limits, refuse } = reading
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
  const rows = numberRecords(records, detected.announced, reading, delimiter)
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

/**
 * Feeds the UTF-8 `chunks` to csv-parse and yields the records that each chunk completes, if any. As a stream of single
 * records, csv-parse would spend a sixth of its time on passing them on. Throws csv-parse's errors, dropping the
 * records of that chunk.
 */
async function* parseRecords(
  chunks: AsyncIterable<Buffer>,
  options: Options,
): AsyncGenerator<string[][], void, undefined> {
  let records: string[][] = []
  const keep = (record: string[]) => {
    records.push(record)
    // Keeps the record out of the parser's own stream, where it would never be read.
    return null
  }
  const parser = parse({ ...options, on_record: keep as unknown as Options['on_record'] & {} })
  // Ignored here, because the pending write gets the same error.
  parser.on('error', () => {})
  const takeGroup = () => {
    const group = records
    records = []
    return group
  }
  try {
    for await (const chunk of chunks) {
      await callbackResult((done) => parser.write(chunk, done))
      if (records.length > 0) yield takeGroup()
    }
    await callbackResult((done) => parser.end(done))
    if (records.length > 0) yield takeGroup()
  } finally {
    parser.destroy()
  }
}

function callbackResult(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())))
}

interface Delimiter {
  delimiter: string
  /** True if the file begins with a line such as `sep=;`, which spreadsheet programs use but do not show. */
  announced: boolean
}

// The order only breaks ties. A table with a single column contains none of them, and then any delimiter works.
const candidates = [',', ';', '\t', '|']
const maxRecords = 50

/**
 * Detects the delimiter: counts the candidates outside quotation marks in the first records of `sample`, and chooses
 * the one whose count is the same as in the header in the most records. csv-parse's own detection is not used, because
 * it throws on quoted cells.
 * @param whole whether the sample is the whole file, so that its last record is complete
 */
function detectDelimiter(sample: string, whole: boolean): Delimiter {
  const announced = /^sep=([^\r\n"])(?:\r|\n|$)/i.exec(sample)?.[1]
  if (announced !== undefined) return { delimiter: announced, announced: true }
  const records = countPerRecord(sample, whole)
  const header = records[0] ?? []
  let best = { delimiter: ',', agreeing: 0, count: 0 }
  for (const [index, delimiter] of candidates.entries()) {
    const count = header[index] ?? 0
    if (count === 0) continue
    const agreeing = records.filter((record) => record[index] === count).length
    if (agreeing > best.agreeing || (agreeing === best.agreeing && count > best.count)) {
      best = { delimiter, agreeing, count }
    }
  }
  return { delimiter: best.delimiter, announced: false }
}

function countPerRecord(sample: string, whole: boolean): number[][] {
  const records: number[][] = []
  let counts = candidates.map(() => 0)
  let quoted = false
  let atCellStart = true
  let filled = false
  for (let at = 0; at < sample.length && records.length < maxRecords; at++) {
    const character = sample.charAt(at)
    if (quoted) {
      if (character !== '"') continue
      if (sample.charAt(at + 1) === '"') at++
      else quoted = false
    } else if (character === '\n' || character === '\r') {
      if (filled) records.push(counts)
      counts = candidates.map(() => 0)
      atCellStart = true
      filled = false
    } else {
      const index = candidates.indexOf(character)
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1
      // A quotation mark inside a cell (5" screws) does not start a quoted part.
      quoted = character === '"' && atCellStart
      atCellStart = index >= 0
      filled = true
    }
  }
  if (filled && (whole || records.length === 0)) records.push(counts)
  return records
}
