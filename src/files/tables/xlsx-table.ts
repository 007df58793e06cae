// Encodes rows as the only sheet of an XLSX workbook. Every cell is text, a number or a boolean, so none can be a
// formula. Writes only to the given sink.

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import exceljs from 'exceljs'
import { type TableCell, type TableEncoder, textOf } from './table-cell.ts'

const maxCellLength = 32_767 // the limit of a spreadsheet cell, in UTF-16 units

// Characters that XML 1.0 cannot contain. U+FFFE and U+FFFF pass through exceljs 4.4 and make the whole file
// unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being removed
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g

/**
 * Makes the text of a cell valid for XLSX: removes forbidden characters, normalizes line ends to LF, and cuts the text
 * at 32,767 UTF-16 units.
 */
export function xlsxCell(cell: string): string {
  const text = cell.replace(unwritable, '').toWellFormed().replace(/\r\n?/g, '\n') // XML readers convert CR anyway
  // The cut may split a surrogate pair; then its first half is dropped too.
  const cut = text.length > maxCellLength ? text.slice(0, maxCellLength).replace(/[\uD800-\uDBFF]$/, '') : text
  // `_x0041_` is the format's own escape (ST_Xstring): text that only looks like an escape is escaped itself, so that
  // it is read back unchanged.
  return cut.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}

/**
 * Encodes rows as an XLSX workbook into `sink` and ends it. The owner of the sink aborts `failed` when the sink breaks;
 * a pending write then rejects with its reason instead of waiting forever. `createdAt` becomes the creation time in the
 * workbook; default: now.
 */
export function xlsxTable(sink: Writable, failed: AbortSignal, createdAt?: Date): TableEncoder {
  const dates = createdAt && { created: createdAt, modified: createdAt }
  const options = { stream: sink, useSharedStrings: false, useStyles: true, ...dates }
  const workbook = new exceljs.stream.xlsx.WorkbookWriter(options)
  const sheet = workbook.addWorksheet('Sheet1')
  const styles = openStyles()
  return {
    async write(cells) {
      failed.throwIfAborted()
      const limitedCells = cells.map((cell) => styles.withinFormatLimit(cell))
      const row = sheet.addRow(limitedCells.map((cell) => (typeof cell === 'string' ? xlsxCell(cell) : cell.value)))
      limitedCells.forEach((cell, index) => {
        row.getCell(index + 1).style = styles.styleOf(cell)
      })
      row.commit()
      const fullPipe = fullPipeOf(sheet)
      if (fullPipe) await once(fullPipe, 'drain', { signal: failed })
    },
    async end() {
      failed.throwIfAborted()
      const broken = new Promise<never>((_, reject) => {
        failed.addEventListener('abort', () => reject(failed.reason), { once: true })
      })
      // Without the race, exceljs would wait forever for the end of a broken sink.
      await Promise.race([workbook.commit(), broken])
    },
    abort: () => {
      const { zip } = workbook as unknown as { zip?: { abort?(): unknown } }
      zip?.abort?.()
    },
  }
}

// Spreadsheet programs accept 200 to 250 formats in a workbook.
const maxFormats = 200

/**
 * Keeps one style object per number format, because exceljs recognizes a repeated style by its object identity and
 * writes any other style again.
 */
function openStyles() {
  const plain: Partial<exceljs.Style> = {}
  const styleByFormat = new Map<string, Partial<exceljs.Style>>()
  return {
    /**
     * Returns the cell, or only its text if there are too many formats, because a number without its format would be
     * displayed differently.
     */
    withinFormatLimit(cell: TableCell): TableCell {
      if (typeof cell === 'string' || cell.format === undefined || styleByFormat.has(cell.format)) return cell
      if (styleByFormat.size >= maxFormats) return textOf(cell)
      styleByFormat.set(cell.format, { numFmt: cell.format })
      return cell
    },
    styleOf: (cell: TableCell) =>
      (typeof cell === 'string' || cell.format === undefined ? plain : styleByFormat.get(cell.format)) ?? plain,
  }
}

/**
 * Returns the stream between the sheet and the ZIP if it is full; null otherwise. exceljs 4.4 accepts rows without
 * back-pressure (its write always returns true) and would buffer everything that is not on disk yet; only its pipe
 * shows that.
 */
function fullPipeOf(sheet: exceljs.Worksheet): Writable | null {
  const { stream } = sheet as unknown as {
    stream?: { pipes?: (Writable & { _writableState?: { needDrain?: boolean } })[] }
  }
  const pipe = stream?.pipes?.[0]
  return pipe?._writableState?.needDrain ? pipe : null
}
