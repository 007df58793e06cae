// Builds the workbooks of the sample files.

import ExcelJS from 'exceljs'
import type { CellKind } from '#src/files/tables/source.ts'
import { buildZip, type ZipMember } from '#test/support/build-zip.ts'
import { inlineRow, type WrittenWorkbook, workbookMembers, writeWorkbook } from '#test/support/written-workbook.ts'
import type { CorpusCase } from './corpus-case.ts'
import { ake, header, zoe } from './people.ts'

export const headerRow = inlineRow(...header)
export const peopleRows = headerRow + inlineRow(...zoe) + inlineRow(...ake)

/** Makes a workbook of the two people, with additional `parts`. */
export const peopleBook = (parts: WrittenWorkbook = {}): Buffer => writeWorkbook({ rows: peopleRows, ...parts })

/** Makes a workbook of the two people, with `change` applied to the member that contains their sheet. */
export function changedSheet(change: Partial<ZipMember>): Buffer {
  const members = workbookMembers({ rows: peopleRows })
  return buildZip(members.map((member) => (member.name.includes('only.xml') ? { ...member, ...change } : member)))
}

/** Makes a workbook as a typical library writes it. */
export async function writeWithLibrary(fill: (book: ExcelJS.Workbook) => void): Promise<Buffer> {
  const book = new ExcelJS.Workbook()
  fill(book)
  return Buffer.from(await book.xlsx.writeBuffer())
}

// Cell style n has the format formats[n]: numbers are built-in formats, strings are custom.
export const formats = [
  0,
  14,
  22,
  46,
  'dd.mm.yyyy',
  '[$-407]d/\\ mmmm\\ yyyy;@',
  'yyyy"年"m"月"d"日"',
  '[<1]hh:mm;dd/mm/yyyy',
  '0000000000',
  '"+49 "000-0000',
  '[<1000]0000;General',
  '[<1000]0000;00000',
  '0.0 "days"',
  '#,##0.00\\ [$€-407];[Red]-#,##0.00',
  49,
  57,
  9,
  10,
  2,
  3,
  12,
  11,
  44,
  '0" hours"',
  '0.0\\ %',
  '#,##0.00\\ "€";[Red]\\-#,##0.00\\ "€"',
  '[$€-2] 0.##',
  '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-',
  '0,',
  '[>100]0;0.0',
  'General" points"',
  '[$-D000000]0',
  ';;;',
  '00000',
]

const codes = formats.flatMap((format, n) =>
  typeof format === 'string'
    ? `<numFmt numFmtId="${200 + n}" formatCode="${format.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"/>`
    : [],
)
const ids = formats.map((format, n) => (typeof format === 'string' ? 200 + n : format))
export const styles =
  `<numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
  `<cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`

/** Makes a case of a workbook with one row that contains a name and `cell`, which is read as `text`. */
export function cellCase(
  name: string,
  cell: string,
  text: string,
  kind: CellKind,
  parts: WrittenWorkbook = {},
): CorpusCase {
  const rows = `${headerRow}<row><c t="inlineStr"><is><t>Quennell</t></is></c>${cell}</row>`
  return {
    name: `has ${name}`,
    file: 'results.xlsx',
    build: () => writeWorkbook({ rows, styles, ...parts }),
    expected: { header, rows: [['Quennell', text]], kinds: ['text', kind] },
  }
}

/** Makes a case of a workbook with one row that contains a name and a number with one of `formats`. */
export const numberCase = (
  name: string,
  value: number | string,
  format: string | number,
  text: string,
  kind: CellKind,
) => cellCase(`${name} (${value} as ${format})`, `<c s="${formats.indexOf(format)}"><v>${value}</v></c>`, text, kind)
