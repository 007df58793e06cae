// Rows as a workbook in memory, for one batch: some hundred rows. The same rows give the same bytes.

import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { xlsxTable } from '#src/sources/xlsx-table.ts'
import { noDay, redated } from './zip-bytes.ts'

/** Every cell is text, as everywhere in what we write: a date stands there as YYYY-MM-DD, as in a JSON invitation. */
export async function workbookBytes(rows: readonly string[][]): Promise<Buffer> {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, taken) {
      chunks.push(chunk)
      taken()
    },
  })
  const done = finished(sink)
  // A sink in memory does not break.
  const table = xlsxTable(sink, new AbortController().signal, noDay)
  for (const row of rows) await table.write(row)
  await table.end()
  await done
  // The workbook's own dates are fixed, those of the files inside it are not: the writer has no way to say them.
  return redated(Buffer.concat(chunks))
}
