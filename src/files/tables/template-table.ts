// Makes an empty source file, with the names of its columns, in memory. A workbook has only one sheet, so that it is
// clear which one is read, and the rules are in notes on the cells of the first row.

import { Writable } from 'node:stream'
import { csvTable } from './csv-table.ts'

type TableTemplate = readonly {
  title: string
  /** Sentences that a workbook shows as notes on the column's name. A CSV omits them. */
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
  await table.end()
  return Buffer.concat(pieces)
}

async function templateWorkbook(columns: TableTemplate): Promise<Buffer> {
  // Imported here, so that other commands do not load exceljs when they start.
  const { default: exceljs } = await import('exceljs')
  const workbook = new exceljs.Workbook()
  const sheet = workbook.addWorksheet('Recipients', { views: [{ state: 'frozen', ySplit: 1 }] })
  columns.forEach(({ title, notes, isDate }, index) => {
    const column = sheet.getColumn(index + 1)
    column.width = Math.min(40, Math.max(title.length, 12) + 2)
    // All columns except dates have the text format. It is set in the template because a format that is set after
    // typing would not restore leading zeros.
    column.numFmt = isDate ? 'yyyy-mm-dd' : '@'
    const head = sheet.getCell(1, index + 1)
    head.value = title
    head.font = { bold: true }
    head.note = notes.join('\n')
  })
  return Buffer.from(await workbook.xlsx.writeBuffer())
}
