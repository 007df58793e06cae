// Reads and writes the sandbox's workbooks with exceljs, sharing no code with the client. (The client's writer uses
// exceljs too; its reader does not.) Pure.

import exceljs from 'exceljs'
import { SandboxRefusal } from './refusal.ts'

/**
 * Returns the cells of the first sheet as text, row by row, without empty rows.
 * @throws SandboxRefusal 400
 */
export async function readSandboxWorkbook(bytes: Buffer): Promise<string[][]> {
  const workbook = new exceljs.Workbook()
  try {
    // exceljs declares a Buffer type of its own.
    await workbook.xlsx.load(bytes as unknown as exceljs.Buffer)
  } catch {
    throw new SandboxRefusal(400, 'Bad request: the workbook cannot be read.')
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
