// Feeds csv-parse piece by piece and takes its records in groups. As a stream of single records it spends a sixth of its
// time on handing them over.

import { type Options, parse } from 'csv-parse'

/** The records of each of the UTF-8 `chunks` that complete any. Throws what csv-parse throws, and drops the chunk's records. */
export async function* parseRecords(
  chunks: AsyncIterable<Buffer>,
  options: Options,
): AsyncGenerator<string[][], void, undefined> {
  let records: string[][] = []
  const keep = (record: string[]) => {
    records.push(record)
    // Nothing is left for its stream to hand over, so nothing waits there to be read.
    return null
  }
  const parser = parse({ ...options, on_record: keep as unknown as Options['on_record'] & {} })
  // Told to whoever waits for the write as well.
  parser.on('error', () => {})
  const taken = () => {
    const group = records
    records = []
    return group
  }
  try {
    for await (const chunk of chunks) {
      await settled((done) => parser.write(chunk, done))
      if (records.length > 0) yield taken()
    }
    await settled((done) => parser.end(done))
    if (records.length > 0) yield taken()
  } finally {
    parser.destroy()
  }
}

function settled(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())))
}
