// Feeds chunks to csv-parse and yields its records in groups. As a stream of single records, csv-parse would spend a
// sixth of its time on passing them on.

import { type Options, parse } from 'csv-parse'

/**
 * Yields the records that each of the UTF-8 `chunks` completes, if any. Throws csv-parse's errors, dropping the records
 * of that chunk.
 */
export async function* parseRecords(
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
