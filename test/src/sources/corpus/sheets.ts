// Builds the workbooks among the sample files.

import ExcelJS from 'exceljs'
import type { CellKind } from '#src/sources/source.ts'
import { buildZip, type ZipMember } from '#test/support/stored-zip.ts'
import { inlineRow, type WrittenWorkbook, workbookMembers, writeWorkbook } from '#test/support/written-workbook.ts'
import type { CorpusCase } from './corpus-case.ts'
import { ake, header, zoe } from './people.ts'

export const headerRow = inlineRow(...header)
export const peopleRows = headerRow + inlineRow(...zoe) + inlineRow(...ake)

/** The two people as a workbook, with what `parts` say besides. */
export const peopleBook = (parts: WrittenWorkbook = {}): Buffer => writeWorkbook({ rows: peopleRows, ...parts })

/** The two people with `change` made to the member that holds their sheet. */
export function changedSheet(change: Partial<ZipMember>): Buffer {
  const members = workbookMembers({ rows: peopleRows })
  return buildZip(members.map((each) => (each.name.includes('only.xml') ? { ...each, ...change } : each)))
}

/** A workbook as a writer makes it. */
export async function written(fill: (book: ExcelJS.Workbook) => void): Promise<Buffer> {
  const book = new ExcelJS.Workbook()
  fill(book)
  return Buffer.from(await book.xlsx.writeBuffer())
}

// Cell style n shows the format formats[n]: numbers are built in, texts spelt out.
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
  '0.0 "days"',
  '#,##0.00\\ [$€-407];[Red]-#,##0.00',
  49,
  57,
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

/** A workbook whose only row under the header holds a name and `cell`, which reads as `text`. */
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

/** The same for a number in a format of `formats`. */
export const numberCase = (
  name: string,
  value: number | string,
  format: string | number,
  text: string,
  kind: CellKind,
) => cellCase(`${name} (${value} as ${format})`, `<c s="${formats.indexOf(format)}"><v>${value}</v></c>`, text, kind)

/** The old container of Microsoft's programs, as far as its magic and one name in its directory. */
export function compoundFile(stream: string): Buffer {
  const bytes = Buffer.alloc(2_048)
  bytes.write('d0cf11e0a1b11ae1', 'hex')
  bytes.write(`${stream}\0`, 1_024, 'utf16le')
  return bytes
}
