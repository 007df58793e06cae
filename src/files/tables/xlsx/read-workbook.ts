// Reads which sheets a workbook has and how it counts days, and the number formats and fonts of its styles.

import type { TableReading } from '#src/files/tables/source-limits.ts'
import type { ZipParts } from '#src/files/tables/zip/zip-parts.ts'
import type { WorkbookSheet } from './choose-sheet.ts'
import { type NumberStyle, readNumberFormat } from './number-format.ts'
import { readRelationships } from './read-relationships.ts'
import { type Attributes, attributeNamed, readXml } from './walk-xml.ts'

export interface Workbook {
  /** True if days are counted from 1904-01-01 instead of 1899-12-30, an old setting that many workbooks still have. */
  date1904: boolean
  sheets: WorkbookSheet[]
  stylesPart: string | undefined
  sharedStringsPart: string | undefined
}

export const macrosRefusal = {
  code: 'macros',
  sentence: 'The workbook contains macros. Save it as .xlsx, which has none.',
} as const

/** Finds and reads the workbook part. @throws SourceError if the ZIP contains something else */
export async function readWorkbook(zip: ZipParts, reading: TableReading): Promise<Workbook> {
  const { limits, refuse } = reading
  const roots = await readRelationships(zip, '', reading)
  const part = roots.find((root) => root.kind === 'officeDocument')?.target
  if (part === undefined) {
    throw refuse(
      'zip-not-workbook',
      'The file looks like a workbook but names no table. Open it in a spreadsheet program and save it again.',
    )
  }
  const relationships = await readRelationships(zip, part, reading)
  if (relationships.some((relationship) => relationship.kind === 'vbaProject'))
    throw refuse(macrosRefusal.code, macrosRefusal.sentence)
  const partOf = (kind: string) =>
    relationships.find((relationship) => relationship.kind === kind && zip.has(relationship.target))?.target
  const sheetParts = new Map(
    relationships
      .filter((relationship) => relationship.kind === 'worksheet')
      .map((relationship) => [relationship.id, relationship.target]),
  )

  let root = ''
  let date1904 = false
  const sheets: WorkbookSheet[] = []
  const open = (name: string, attributes: Attributes, parent: string) => {
    if (parent === '') root = name
    if (name === 'workbookPr' && parent === 'workbook') date1904 = /^(1|true|on)$/.test(attributes.date1904 ?? '')
    if (name !== 'sheet' || parent !== 'sheets') return
    if (sheets.length >= limits.zipEntries) {
      throw refuse(
        'limit',
        `The workbook lists more sheets than the limit of ${limits.zipEntries}. Copy the table into a new workbook.`,
      )
    }
    sheets.push({
      name: attributes.name ?? '',
      hidden: attributes.state === 'hidden' || attributes.state === 'veryHidden',
      part: sheetParts.get(attributeNamed(attributes, 'id') ?? ''),
    })
  }
  await readXml(zip.read(part, limits.keptPartBytes), { open }, reading)
  if (root !== 'workbook')
    throw refuse('zip-not-workbook', 'The file is an office document, not a workbook. Export the table as CSV or XLSX.')
  return { date1904, sheets, stylesPart: partOf('styles'), sharedStringsPart: partOf('sharedStrings') }
}

// Limited, because format codes are read character by character. Spreadsheet programs allow 255 characters.
const maxCodeLength = 1_000
// Spreadsheet programs allow 65,490 cell styles, so a file with more is meant to exhaust memory.
const maxStyles = 65_536

/**
 * Reads the styles of a workbook, but only the number formats, and which fonts strike text through. Returns the number
 * style of each cell style, in the order in which cells refer to them.
 */
export async function readStyles(zip: ZipParts, part: string, reading: TableReading): Promise<NumberStyle[]> {
  const { limits, refuse } = reading
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
  await readXml(zip.read(part, limits.keptPartBytes), { open }, reading)
  const styleById = new Map<number, NumberStyle>()
  return styles.map(({ format, font }) => {
    const style = styleById.get(format) ?? readNumberFormat(format, codes.get(format))
    styleById.set(format, style)
    return struck.has(font) ? { ...style, struck: true } : style
  })
}
