// Writes the XML parts of a workbook by hand, for cells and malformed parts that no library writes.

import { buildZip, type ZipMember } from './build-zip.ts'

export interface WrittenWorkbook {
  /** The content of `sheetData` in the only sheet. */
  rows?: string
  /** The whole sheet part, instead of `rows`. */
  sheet?: string | Buffer
  /** The content of `sst`. */
  sharedStrings?: string
  /** The content of `styleSheet`. */
  styles?: string
  /** The content of `workbook`, instead of one sheet. */
  workbook?: string
  /** More relationships of the workbook. */
  relationships?: string
  /** Members to add, or to replace by name. */
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

/** Returns the members of a workbook with one sheet, `xl/worksheets/only.xml`. */
export function workbookMembers(parts: WrittenWorkbook): ZipMember[] {
  const wrap = (element: string, inside: string) =>
    `<${element} xmlns="${main}" xmlns:r="${relations}">${inside}</${element}>`
  const singleSheet = '<sheets><sheet name="Only" sheetId="1" r:id="s1"/></sheets>'
  const standardRelations =
    relation('s1', 'worksheet', 'worksheets/only.xml') +
    relation('s2', 'sharedStrings', 'strings.xml') +
    relation('s3', 'styles', 'styles.xml')
  const members: ZipMember[] = [
    { name: '_rels/.rels', content: relationships(relation('r', 'officeDocument', 'xl/workbook.xml')) },
    { name: 'xl/workbook.xml', content: wrap('workbook', parts.workbook ?? singleSheet) },
    { name: 'xl/_rels/workbook.xml.rels', content: relationships(standardRelations + (parts.relationships ?? '')) },
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

/** Returns a row of inline text cells. */
export function inlineRow(...texts: string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
}
