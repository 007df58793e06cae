// Makes a template of a source file as a workbook, in memory. It has only one sheet, so that it is clear which one is
// read, and the rules are in notes on the cells of the first row.

export type TableTemplate = readonly {
  title: string
  example: string
  /** Sentences that a workbook shows as notes on the column's name. A CSV omits them. */
  notes: readonly string[]
  isDate: boolean
}[]

export async function templateWorkbook(columns: TableTemplate): Promise<Buffer> {
  // Imported here, so that other commands do not load exceljs when they start.
  const { default: exceljs } = await import('exceljs')
  const workbook = new exceljs.Workbook()
  const sheet = workbook.addWorksheet('Recipients', { views: [{ state: 'frozen', ySplit: 1 }] })
  columns.forEach(({ title, example, notes, isDate }, index) => {
    const column = sheet.getColumn(index + 1)
    column.width = Math.min(40, Math.max(title.length, example.length) + 2)
    // All columns except dates have the text format. It is set in the template because a format that is set after
    // typing would not restore leading zeros.
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
