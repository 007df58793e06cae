// Which of a workbook's sheets is the table.

import type { SourceErrorCode } from '#src/sources/source-error.ts'

export interface Sheet {
  name: string
  hidden: boolean
  /** The part that holds it; undefined for charts and dialogs, which are listed among the sheets. */
  part: string | undefined
}

export interface ChosenSheet {
  part: string
  notices: string[]
}

/**
 * Takes the sheet called `wanted`, hidden or not, or else the first visible one in the order of the tabs. Gives a
 * refusal when there is none. Names of sheets that were not asked for stay out of the sentences: some are people.
 */
export function chooseSheet(
  sheets: Sheet[],
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
  const notice = `Only the first of ${visible.length} visible sheets was read. Name another one as file.sheet of the pipeline if it is the wrong one.`
  return { part: first.part, notices: [notice] }
}

function fold(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}
