// Reads a CSV file as a stream of rows.

import type { Options } from 'csv-parse'
import type { ByteSource } from '#src/sources/byte-source.ts'
import type { RawTable } from '#src/sources/source.ts'
import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { detectDelimiter } from './detect-delimiter.ts'
import { detectEncoding } from './detect-encoding.ts'
import { doubtRows } from './doubt-rows.ts'
import { numberRows } from './number-rows.ts'
import { parseRecords } from './parse-records.ts'
import { stopLongLines } from './stop-long-lines.ts'

const sampleBytes = 65_536
// A record's limit counts its text; doubled quotation marks and the separators come on top of it.
const lineBytesPerRecordByte = 2

/**
 * Settles encoding and delimiter of the CSV in `bytes` and gives its rows, header and blank rows included.
 * Throws SourceError (`encoding`, `delimiter`, `not-a-table`); its rows throw `quote-not-closed` and `record-too-long`,
 * which end the file because nobody can say where the next row begins.
 */
export async function openCsv(
  bytes: ByteSource,
  options: { delimiter?: string | undefined; encoding?: string | undefined },
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const { encoding, notices, guessed } = await detectEncoding(bytes, options.encoding, refuse)
  const head = await bytes.head(sampleBytes)
  const sample = new TextDecoder(encoding).decode(head, { stream: true }).replace(/^\ufeff+/, '')
  const sniffed = detectDelimiter(sample, head.length < sampleBytes)
  const declared = options.delimiter ?? sniffed.delimiter
  if (declared.length !== 1 || /["\r\n]/.test(declared)) {
    throw refuse(
      'delimiter',
      'The delimiter must be one character and neither a quotation mark nor a line end. Correct file.delimiter of the pipeline.',
    )
  }
  const firstLine = sample.split(/[\r\n]/, 1)[0] ?? ''
  const absent = !firstLine.includes(declared) && firstLine.includes(sniffed.delimiter)
  // Read by it, the file would have one column.
  const delimiter = absent ? sniffed.delimiter : declared
  const lines = stopLongLines(textOf(bytes, encoding), limits.csvRecordBytes * lineBytesPerRecordByte)
  const records = parseRecords(lines, parserOptions(delimiter, limits))
  if (absent)
    notices.push(
      'The first line does not have the separator that file.delimiter names, so the one that it has was used.',
    )
  const numbered = numberRows(records, sniffed.announced, limits, refuse, delimiter)
  const rows = guessed ? doubtRows(numbered) : numbered
  return { format: 'csv', separator: delimiter, notices, rows }
}

function parserOptions(delimiter: string, limits: SourceLimits): Options {
  return {
    delimiter,
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

/** The bytes as UTF-8. The whole file was found to be in `encoding` before; decoding UTF-8 again would only cost. */
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
