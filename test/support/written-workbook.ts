// Writes the few XML parts of a workbook by hand, for the cells and the traps that no writer offers.

import { buildZip, type ZipMember } from '#test/support/stored-zip.ts'

export interface WrittenWorkbook {
  /** What stands inside `sheetData` of the only sheet. */
  rows?: string
  /** The whole sheet part, instead of `rows`. */
  sheet?: string | Buffer
  /** What stands inside `sst`. */
  sharedStrings?: string
  /** What stands inside `styleSheet`. */
  styles?: string
  /** What stands inside `workbook`, instead of the one sheet. */
  workbook?: string
  /** Relationships of the workbook besides the ordinary ones. */
  relationships?: string
  /** Members that are added, or that replace one of the same name. */
  members?: ZipMember[]
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packaging = 'http://schemas.openxmlformats.org/package/2006/relationships'

export function relation(id: string, kind: string, target: string): string {
  return `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`
}

export function relationships(inside: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${packaging}">${inside}</Relationships>`
}

/** The members of a workbook with one sheet, `xl/worksheets/only.xml`. */
export function workbookMembers(parts: WrittenWorkbook): ZipMember[] {
  const wrap = (element: string, inside: string) =>
    `<${element} xmlns="${main}" xmlns:r="${relations}">${inside}</${element}>`
  const only = '<sheets><sheet name="Only" sheetId="1" r:id="s1"/></sheets>'
  const usual =
    relation('s1', 'worksheet', 'worksheets/only.xml') +
    relation('s2', 'sharedStrings', 'strings.xml') +
    relation('s3', 'styles', 'styles.xml')
  const members: ZipMember[] = [
    { name: '_rels/.rels', content: relationships(relation('r', 'officeDocument', 'xl/workbook.xml')) },
    { name: 'xl/workbook.xml', content: wrap('workbook', parts.workbook ?? only) },
    { name: 'xl/_rels/workbook.xml.rels', content: relationships(usual + (parts.relationships ?? '')) },
    { name: 'xl/strings.xml', content: wrap('sst', parts.sharedStrings ?? '') },
    { name: 'xl/styles.xml', content: wrap('styleSheet', parts.styles ?? '') },
    {
      name: 'xl/worksheets/only.xml',
      content: parts.sheet ?? wrap('worksheet', `<sheetData>${parts.rows ?? ''}</sheetData>`),
    },
  ]
  const replaced = new Set(parts.members?.map((member) => member.name))
  return [...members.filter((member) => !replaced.has(member.name)), ...(parts.members ?? [])]
}

export function writeWorkbook(parts: WrittenWorkbook): Buffer {
  return buildZip(workbookMembers(parts))
}

/** A row of cells that hold their text themselves. */
export function inlineRow(...texts: string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
}
