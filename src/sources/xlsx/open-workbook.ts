// Reads an XLSX file as a stream of rows. A reader of ours because the one we write with put replacement characters
// into names cut at chunk borders, lost sheets, and hung for ever on files cut off.

import type { RawTable, SourceRow } from '#src/sources/source.ts'
import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { chooseSheet } from './choose-sheet.ts'
import { readStyles } from './read-styles.ts'
import { readWorkbook } from './read-workbook.ts'
import { readSharedStrings } from './shared-strings.ts'
import { readSheetRows } from './sheet-rows.ts'
import { openZipParts, type ZipParts } from './zip-parts.ts'

/**
 * Opens the workbook at `path` and gives the rows of the sheet called `sheet`, or of the first visible one. Shared
 * texts are read here, the sheet itself only as its rows are taken. Throws SourceError.
 */
export async function openWorkbook(
  path: string,
  sheet: string | undefined,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const zip = await openZipParts(path, limits, refuse)
  try {
    const workbook = await readWorkbook(zip, limits, refuse)
    const chosen = chooseSheet(workbook.sheets, sheet)
    if ('code' in chosen) throw refuse(chosen.code, chosen.sentence)
    const { stylesPart, sharedStringsPart, date1904 } = workbook
    const styles = stylesPart === undefined ? [] : await readStyles(zip, stylesPart, limits, refuse)
    const strings =
      sharedStringsPart === undefined ? undefined : await readSharedStrings(zip, sharedStringsPart, limits, refuse)
    const book = { date1904, styles, sharedString: (index: number) => strings?.get(index) }
    const rows = closingAfter(zip, readSheetRows(zip.read(chosen.part), book, limits, refuse))
    return { format: 'xlsx', notices: chosen.notices, rows }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function* closingAfter(
  zip: ZipParts,
  rows: AsyncGenerator<SourceRow[]>,
): AsyncGenerator<SourceRow[], void, undefined> {
  try {
    yield* rows
  } finally {
    zip.close()
  }
}
