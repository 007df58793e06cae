// Chooses which sheet of a workbook is read. Pure.

import type { SourceErrorCode } from '#src/files/tables/source-error.ts'

export interface WorkbookSheet {
  name: string
  hidden: boolean
  /** The part with the content of the sheet; undefined for charts and dialogs, which are also listed as sheets. */
  part: string | undefined
}

export interface ChosenSheet {
  part: string
  notices: string[]
  /** What to say if the sheet is empty, and other visible sheets may have the list. */
  ifEmpty?: string
}

/**
 * Returns the sheet called `wanted`, hidden or not, or by default the first visible sheet in the order of the tabs.
 * Returns a refusal if there is none. Messages do not contain the names of other sheets, because some are names of
 * people.
 */
export function chooseSheet(
  sheets: WorkbookSheet[],
  wanted: string | undefined,
): ChosenSheet | { code: SourceErrorCode; sentence: string } {
  const tables = sheets.filter((sheet) => sheet.part !== undefined)
  if (wanted !== undefined) {
    const key = fold(wanted)
    const named = tables.find((sheet) => sheet.name === wanted) ?? tables.find((sheet) => fold(sheet.name) === key)
    if (named?.part !== undefined) return { part: named.part, notices: [] }
    const sentence = `The workbook has no sheet called "${wanted}" among its ${tables.length}. Correct file.sheet of the pipeline, or the name in the file.`
    return { code: 'sheet-missing', sentence }
  }
  const visible = tables.filter((sheet) => !sheet.hidden)
  const first = visible[0]
  if (first?.part === undefined) {
    const sentence =
      'The workbook has no visible sheet with cells. Unhide one, or name it as file.sheet of the pipeline.'
    return { code: 'sheet-missing', sentence }
  }
  if (visible.length === 1) return { part: first.part, notices: [] }
  const notice = `Only the first of ${visible.length} visible sheets was read. If that is the wrong sheet, name another one as file.sheet of the pipeline.`
  const others = visible.length === 2 ? 'the other' : 'another'
  const ifEmpty = `Only the first of ${visible.length} visible sheets is read, and it has no filled row. Name ${others} as file.sheet of the pipeline, or move the sheet with the list to the front.`
  return { part: first.part, notices: [notice], ifEmpty }
}

function fold(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}
