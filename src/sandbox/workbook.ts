// Workbooks as the sandbox reads and writes them: by itself, so that a wrong reading of the client's is not made twice alike.

import exceljs from 'exceljs'
import { Refusal } from './refusal.ts'

/** The cells of the first sheet as text, row by row, wholly empty rows left out. @throws Refusal 400 */
export async function readWorkbook(bytes: Buffer): Promise<string[][]> {
  const workbook = new exceljs.Workbook()
  try {
    // Its types want an ArrayBuffer of their own kind.
    await workbook.xlsx.load(bytes as unknown as exceljs.Buffer)
  } catch {
    throw new Refusal(400, 'Bad request: the workbook cannot be read.')
  }
  const rows: string[][] = []
  workbook.worksheets[0]?.eachRow((row) => {
    const cells: string[] = []
    row.eachCell({ includeEmpty: true }, (cell, column) => {
      cells[column - 1] = cell.text
    })
    rows.push(Array.from(cells, (cell) => cell ?? ''))
  })
  return rows
}

export async function writeWorkbook(rows: readonly (readonly string[])[]): Promise<Buffer> {
  const workbook = new exceljs.Workbook()
  workbook.addWorksheet('Recipients').addRows(rows.map((row) => [...row]))
  return Buffer.from(await workbook.xlsx.writeBuffer())
}
