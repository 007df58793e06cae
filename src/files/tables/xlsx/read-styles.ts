// Reads the styles of a workbook, but only the number formats.

import type { Refuse } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import type { ZipParts } from '#src/files/tables/zip/zip-parts.ts'
import { type NumberStyle, readNumberFormat } from './number-format.ts'
import { readXml } from './walk-xml.ts'
import type { Attributes } from './xml-visitor.ts'

// Limited, because format codes are read character by character. Spreadsheet programs allow 255 characters.
const maxCodeLength = 1_000
// Spreadsheet programs allow 65,490 cell styles, so a file with more is meant to exhaust memory.
const maxStyles = 65_536

/** Returns the number style of each cell style, in the order in which cells refer to them. */
export async function readStyles(
  zip: ZipParts,
  part: string,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<NumberStyle[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  const open = (name: string, attributes: Attributes, parent: string) => {
    // Both names also occur elsewhere in this part with other meanings, so the parent is checked.
    if (name === 'numFmt' && parent === 'numFmts') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
    if ((attributes.formatCode?.length ?? 0) > maxCodeLength) {
      throw refuse(
        'limit',
        `The workbook has a number format that is longer than the limit of ${maxCodeLength} characters. Copy the table into a new workbook.`,
      )
    }
    if (name === 'xf' && parent === 'cellXfs') ids.push(Number(attributes.numFmtId ?? 0))
    if (ids.length > maxStyles || codes.size > maxStyles) {
      throw refuse(
        'limit',
        `The workbook has more cell styles than the limit of ${maxStyles}. Copy the table into a new workbook.`,
      )
    }
  }
  await readXml(zip.read(part, limits.keptPartBytes), { open }, limits, refuse)
  const styleById = new Map<number, NumberStyle>()
  return ids.map((id) => {
    const style = styleById.get(id) ?? readNumberFormat(id, codes.get(id))
    styleById.set(id, style)
    return style
  })
}
