// Reads an XLSX file as a stream of rows. A reader of ours because the one we write with put replacement characters
// into names cut at chunk borders, lost sheets, and hung for ever on files cut off.

import type { RawTable, SourceRow } from '#src/sources/source.ts'
import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { workbookKind } from '#src/sources/zip/check-entries.ts'
import type { OpenZip } from '#src/sources/zip/open-zip.ts'
import { partsOf, type ZipParts } from '#src/sources/zip/zip-parts.ts'
import { chooseSheet } from './choose-sheet.ts'
import { explainMerge, findMerge } from './find-merge.ts'
import { gatherMerged } from './merged-columns.ts'
import { readStyles } from './read-styles.ts'
import { macros, readWorkbook } from './read-workbook.ts'
import { readSharedStrings } from './shared-strings.ts'
import { readSheetRows } from './sheet-rows.ts'

/**
 * Reads the workbook that is `opened` and gives the rows of the sheet called `sheet`, or of the first visible one. Shared
 * texts are read here, the sheet itself only as its rows are taken; at their end the ZIP is closed, and after an error.
 * Throws SourceError.
 */
export async function openWorkbook(
  opened: OpenZip,
  sheet: string | undefined,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const zip = partsOf(opened, refuse)
  try {
    opened.check(workbookKind(limits))
    refuseMacros(opened, refuse)
    const workbook = await readWorkbook(zip, limits, refuse)
    const chosen = chooseSheet(workbook.sheets, sheet)
    if ('code' in chosen) throw refuse(chosen.code, chosen.sentence)
    const { stylesPart, sharedStringsPart, date1904 } = workbook
    const styles = stylesPart === undefined ? [] : await readStyles(zip, stylesPart, limits, refuse)
    const strings =
      sharedStringsPart === undefined ? undefined : await readSharedStrings(zip, sharedStringsPart, limits, refuse)
    const book = { date1904, styles, sharedString: (index: number) => strings?.get(index) }
    const seen = { hidden: 0, merged: gatherMerged(limits.columns) }
    const rows = closingAfter(zip, readSheetRows(zip.read(chosen.part), book, limits, refuse, seen))
    return {
      format: 'xlsx',
      notices: chosen.notices,
      rows,
      lateNotices: () => noticeHidden(seen.hidden),
      mergedColumns: seen.merged.found,
      explainGap: async (row, column) => {
        const range = await findMerge(zip.read(chosen.part), row, column)
        return range && explainMerge(range, column)
      },
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Leaving them out would leave out people in silence, because of a filter that somebody forgot. */
function noticeHidden(hidden: number): string[] {
  if (hidden === 0) return []
  const rows = hidden === 1 ? '1 hidden row of the sheet was' : `${hidden} hidden rows of the sheet were`
  return [`${rows} read too: a filter hides a row and does not delete it. Delete what does not belong to the table.`]
}

function refuseMacros(zip: OpenZip, refuse: Refuse): void {
  const holds = zip.entries.some((entry) => entry.fileName.toLowerCase().endsWith('vbaproject.bin'))
  if (holds) throw refuse(macros.code, macros.sentence)
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
