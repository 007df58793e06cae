// An empty source file: the names of the columns, and one example row. Whole in memory, for it is two rows.

import { Writable } from 'node:stream'
import { csvTable } from './csv-table.ts'
import { templateWorkbook } from './template-workbook.ts'

export type TableTemplate = readonly {
  title: string
  example: string
  /** Sentences; a workbook shows them on the column's name, a CSV has no place for them. */
  notes: readonly string[]
  isDate: boolean
}[]

export async function templateTable(format: 'csv' | 'xlsx', columns: TableTemplate): Promise<Buffer> {
  if (format === 'xlsx') return await templateWorkbook(columns)
  const pieces: Buffer[] = []
  const sink = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  const table = csvTable(sink, new AbortController().signal)
  await table.write(columns.map(({ title }) => title))
  await table.write(columns.map(({ example }) => example))
  await table.end()
  return Buffer.concat(pieces)
}
