// Reads the styles of a workbook, but only the number formats, and which fonts strike text through.

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
  const styles: { format: number; font: number }[] = []
  const struck = new Set<number>()
  let fonts = 0
  // Conditional formats have fonts as well.
  let ofCells = false
  const open = (name: string, attributes: Attributes, parent: string) => {
    // Both names also occur elsewhere in this part with other meanings, so the parent is checked.
    if (name === 'numFmt' && parent === 'numFmts') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
    if ((attributes.formatCode?.length ?? 0) > maxCodeLength) {
      throw refuse(
        'limit',
        `The workbook has a number format that is longer than the limit of ${maxCodeLength} characters. Copy the table into a new workbook.`,
      )
    }
    if (name === 'font') ofCells = parent === 'fonts'
    if (name === 'font' && ofCells) fonts++
    if (name === 'strike' && ofCells && !/^(0|false)$/.test(attributes.val ?? '')) struck.add(fonts - 1)
    if (name === 'xf' && parent === 'cellXfs')
      styles.push({ format: Number(attributes.numFmtId ?? 0), font: Number(attributes.fontId ?? 0) })
    if (styles.length > maxStyles || codes.size > maxStyles) {
      throw refuse(
        'limit',
        `The workbook has more cell styles than the limit of ${maxStyles}. Copy the table into a new workbook.`,
      )
    }
  }
  await readXml(zip.read(part, limits.keptPartBytes), { open }, limits, refuse)
  const styleById = new Map<number, NumberStyle>()
  return styles.map(({ format, font }) => {
    const style = styleById.get(format) ?? readNumberFormat(format, codes.get(format))
    styleById.set(format, style)
    return struck.has(font) ? { ...style, struck: true } : style
  })
}
