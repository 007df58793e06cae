// The styles of a workbook, only as far as they say what its numbers are.

import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import type { ZipParts } from '#src/sources/zip/zip-parts.ts'
import { type NumberStyle, readNumberFormat } from './number-format.ts'
import { readXml } from './walk-xml.ts'
import type { Attributes } from './xml-visitor.ts'

// Spreadsheet programs allow 255; the code of a format is looked at character by character.
const longestCode = 1_000
// Spreadsheet programs allow 65,490 cell styles; a file with more is made to fill memory.
const mostStyles = 65_536

/** Gives the number style of each cell style, in the order in which cells refer to them. */
export async function readStyles(
  zip: ZipParts,
  part: string,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<NumberStyle[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  const open = (name: string, attributes: Attributes, parent: string) => {
    // Both names also occur elsewhere in this part, with other meanings.
    if (name === 'numFmt' && parent === 'numFmts') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
    if ((attributes.formatCode?.length ?? 0) > longestCode) {
      throw refuse(
        'limit',
        `The workbook has a number format longer than ${longestCode} characters, the limit. Copy the table into a new workbook.`,
      )
    }
    if (name === 'xf' && parent === 'cellXfs') ids.push(Number(attributes.numFmtId ?? 0))
    if (ids.length > mostStyles || codes.size > mostStyles) {
      throw refuse(
        'limit',
        `The workbook has more than ${mostStyles} cell styles, the limit. Copy the table into a new workbook.`,
      )
    }
  }
  await readXml(zip.read(part, limits.keptPartBytes), { open }, limits, refuse)
  const known = new Map<number, NumberStyle>()
  return ids.map((id) => {
    const style = known.get(id) ?? readNumberFormat(id, codes.get(id))
    known.set(id, style)
    return style
  })
}
