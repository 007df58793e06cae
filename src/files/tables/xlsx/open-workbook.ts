// Reads an XLSX file as a stream of rows. exceljs, which is used for writing, is not used for reading: it put
// replacement characters into names that were split between chunks, lost sheets, and never returned for truncated
// files.

import type { RawTable, SourceRow } from '#src/files/tables/source.ts'
import type { Refuse } from '#src/files/tables/source-error.ts'
import type { TableReading } from '#src/files/tables/source-limits.ts'
import type { OpenZip } from '#src/files/tables/zip/open-zip.ts'
import { type ZipParts, zipPartsOf } from '#src/files/tables/zip/zip-parts.ts'
import { chooseSheet } from './choose-sheet.ts'
import { gatherMerged } from './merged-columns.ts'
import { readRelationships } from './read-relationships.ts'
import { macrosRefusal, readStyles, readWorkbook } from './read-workbook.ts'
import { readSharedStrings } from './shared-strings.ts'
import { readSheetRows } from './sheet-rows.ts'
import { readXml } from './walk-xml.ts'

/**
 * Reads the workbook in `zip`, and returns the rows of the sheet called `sheet` or of the first visible sheet. Shared
 * strings are read immediately, and the sheet while its rows are consumed. The ZIP is closed after the last row or an
 * error.
 * @throws SourceError
 */
export async function openWorkbook(zip: OpenZip, sheet: string | undefined, reading: TableReading): Promise<RawTable> {
  const { limits, refuse } = reading
  const parts = zipPartsOf(zip, refuse)
  try {
    refuseMacros(zip, refuse)
    const workbook = await readWorkbook(parts, reading)
    const chosen = chooseSheet(workbook.sheets, sheet)
    if ('code' in chosen) throw refuse(chosen.code, chosen.sentence)
    const { stylesPart, sharedStringsPart, date1904 } = workbook
    const styles = stylesPart === undefined ? [] : await readStyles(parts, stylesPart, reading)
    const strings =
      sharedStringsPart === undefined ? undefined : await readSharedStrings(parts, sharedStringsPart, reading)
    const book = { date1904, styles, sharedString: (index: number) => strings?.get(index) }
    const pictureRows = await readPictures(parts, chosen.part, reading)
    const statistics = { hidden: 0, struck: 0, merged: gatherMerged(limits.columns) }
    const rows = closingAfter(parts, readSheetRows(parts.read(chosen.part), book, reading, statistics))
    return {
      format: 'xlsx',
      notices: chosen.notices,
      rows,
      lateNotices: () => [...noticeHidden(statistics.hidden), ...noticeStruck(statistics.struck)],
      pictureRows,
      ifEmpty: chosen.ifEmpty,
      mergedColumns: statistics.merged.list,
    }
  } catch (error) {
    parts.close()
    throw error
  }
}

/**
 * Makes the notice about hidden rows. They are read, because otherwise a forgotten filter would silently leave out
 * people.
 */
function noticeHidden(hidden: number): string[] {
  if (hidden === 0) return []
  const rows = hidden === 1 ? '1 hidden row of the sheet was' : `${hidden} hidden rows of the sheet were`
  return [`${rows} read too: a filter hides a row and does not delete it. Delete rows that do not belong to the table.`]
}

function noticeStruck(struck: number): string[] {
  if (struck === 0) return []
  const rows =
    struck === 1
      ? '1 row of the sheet is struck through and was'
      : `${struck} rows of the sheet are struck through and were`
  return [`${rows} read like any other. Delete rows that do not belong to the table.`]
}

function refuseMacros(zip: OpenZip, refuse: Refuse): void {
  const hasMacros = zip.entries.some((entry) => entry.fileName.toLowerCase().endsWith('vbaproject.bin'))
  if (hasMacros) throw refuse(macrosRefusal.code, macrosRefusal.sentence)
}

async function* closingAfter(
  parts: ZipParts,
  rows: AsyncGenerator<SourceRow[]>,
): AsyncGenerator<SourceRow[], void, undefined> {
  try {
    yield* rows
  } finally {
    parts.close()
  }
}

/**
 * Finds the pictures that lie over the cells of the sheet in `part`, without reading their content. Returns, for each
 * picture that is anchored at a cell, the row in which it begins, from 1.
 */
async function readPictures(zip: ZipParts, part: string, reading: TableReading): Promise<number[]> {
  const { limits } = reading
  const rows: number[] = []
  let row = ''
  let inFrom = false
  const visitor = {
    open(name: string) {
      if (/Anchor$/.test(name)) row = ''
      if (name === 'from') inFrom = true
      if (name === 'pic' && /^\d{1,7}$/.test(row)) rows.push(Number(row) + 1)
    },
    text(text: string, element: string) {
      if (inFrom && element === 'row' && row.length < 8) row += text
    },
    close(name: string) {
      if (name === 'from') inFrom = false
    },
  }
  for (const { kind, target } of await readRelationships(zip, part, reading)) {
    if (kind === 'drawing' && zip.has(target)) await readXml(zip.read(target, limits.keptPartBytes), visitor, reading)
  }
  return rows
}
