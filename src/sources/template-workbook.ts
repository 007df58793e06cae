// An empty source file as a workbook: one sheet, since a second one would be a question; the rules hang on the cells of the first row.

import exceljs from 'exceljs'
import type { TableTemplate } from './template-table.ts'

export async function templateWorkbook(columns: TableTemplate): Promise<Buffer> {
  const workbook = new exceljs.Workbook()
  const sheet = workbook.addWorksheet('Recipients', { views: [{ state: 'frozen', ySplit: 1 }] })
  columns.forEach(({ title, example, notes, isDate }, index) => {
    const column = sheet.getColumn(index + 1)
    column.width = Math.min(40, Math.max(title.length, example.length) + 2)
    // Text for all that is no date, before anybody types: afterwards the leading zeros are gone.
    column.numFmt = isDate ? 'yyyy-mm-dd' : '@'
    const head = sheet.getCell(1, index + 1)
    head.value = title
    head.font = { bold: true }
    head.note = notes.join('\n')
    const cell = sheet.getCell(2, index + 1)
    cell.value = example
    cell.font = { italic: true, color: { argb: 'FF808080' } }
  })
  return Buffer.from(await workbook.xlsx.writeBuffer())
}
