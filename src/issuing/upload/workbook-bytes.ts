// Writes rows to a workbook in memory, for one batch of a few hundred rows. The same rows give the same bytes.

import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { fixedZipDate, withFixedDates } from './zip-bytes.ts'

/** Writes every cell as text. Dates have the format YYYY-MM-DD, as in a JSON invitation. */
export async function workbookBytes(rows: readonly string[][]): Promise<Buffer> {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  const written = finished(sink)
  const { xlsxTable } = await import('#src/files/tables/xlsx-table.ts')
  // The signal is never aborted, because a sink in memory cannot fail.
  const table = xlsxTable(sink, new AbortController().signal, fixedZipDate)
  for (const row of rows) await table.write(row)
  await table.end()
  await written
  // The dates in the workbook are fixed. The writer cannot set the dates of the files in its ZIP, so the ZIP is
  // rewritten.
  return withFixedDates(Buffer.concat(chunks))
}
