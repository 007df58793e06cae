// Makes a template of a source file, with the column names and one example row. Built in memory; writes no file.

import { Writable } from 'node:stream'
import { csvTable } from './csv-table.ts'
import { type TableTemplate, templateWorkbook } from './template-workbook.ts'

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
