// Rows as the only sheet of an XLSX workbook into a stream: every cell a string cell, so nothing in it can be a formula.

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import exceljs from 'exceljs'
import type { TableEncoder } from './table-writer.ts'

const cellCap = 32_767 // what a spreadsheet cell can hold, in UTF-16 units

// What XML 1.0 has no way to write. U+FFFE and U+FFFF pass through exceljs 4.4 and make the whole file unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being dropped
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g

/** The cell text as XLSX can hold it: unwritable characters dropped, line ends as LF, at most 32,767 UTF-16 units. */
export function xlsxCell(cell: string): string {
  const text = cell.replace(unwritable, '').toWellFormed().replace(/\r\n?/g, '\n') // XML readers fold CR anyway
  // The cut may split a surrogate pair; its first half is dropped with the second.
  const cut = text.length > cellCap ? text.slice(0, cellCap).replace(/[\uD800-\uDBFF]$/, '') : text
  // `_x0041_` is the format's own escape (ST_Xstring): text that merely looks like one is escaped, and read back as it was.
  return cut.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}

/**
 * Encodes rows as an XLSX workbook into `sink` and ends it. `failed` is aborted by the owner of the sink when the sink
 * breaks: waiting then rejects with its reason instead of for ever. `madeAt` is the moment that the workbook gives as its own; now when left out.
 */
export function xlsxTable(sink: Writable, failed: AbortSignal, madeAt?: Date): TableEncoder {
  const made = madeAt && { created: madeAt, modified: madeAt }
  const options = { stream: sink, useSharedStrings: false, useStyles: false, ...made }
  const workbook = new exceljs.stream.xlsx.WorkbookWriter(options)
  const sheet = workbook.addWorksheet('Sheet1')
  return {
    async write(cells) {
      failed.throwIfAborted()
      sheet.addRow(cells.map((cell) => xlsxCell(cell))).commit()
      const fullPipe = waitingPipe(sheet)
      if (fullPipe) await once(fullPipe, 'drain', { signal: failed })
    },
    async end() {
      failed.throwIfAborted()
      const broken = new Promise<never>((_, reject) => {
        failed.addEventListener('abort', () => reject(failed.reason), { once: true })
      })
      // exceljs alone would wait for ever for the end of a sink that broke before.
      await Promise.race([workbook.commit(), broken])
    },
    abort: () => {
      const { zip } = workbook as unknown as { zip?: { abort?(): unknown } }
      zip?.abort?.()
    },
  }
}

/**
 * The stream between the sheet and the zip when it is full, else null. exceljs 4.4 takes rows without back-pressure (its
 * write always says true) and would hold what the disk has not taken yet; its pipe is the one place where that can be seen.
 */
function waitingPipe(sheet: exceljs.Worksheet): Writable | null {
  const { stream } = sheet as unknown as {
    stream?: { pipes?: (Writable & { _writableState?: { needDrain?: boolean } })[] }
  }
  const pipe = stream?.pipes?.[0]
  return pipe?._writableState?.needDrain ? pipe : null
}
