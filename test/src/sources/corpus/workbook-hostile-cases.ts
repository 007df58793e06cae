// Sample files: workbooks that are damaged, forbidden or made to do harm.

import type { SourceErrorCode } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { buildZip, type ZipMember } from '#test/support/stored-zip.ts'
import { inlineRow, relation, type WrittenWorkbook, workbookMembers } from '#test/support/written-workbook.ts'
import type { CorpusCase } from './corpus-case.ts'
import { ake, header, zoe } from './people.ts'
import { changedSheet, headerRow, peopleBook, peopleRows } from './sheets.ts'

const refusedBook =
  (refused: SourceErrorCode, sentence: RegExp) =>
  (name: string, build: () => Buffer): CorpusCase => ({
    name,
    file: 'results.xlsx',
    build,
    expected: { refused, sentence },
  })

const damaged = refusedBook('damaged', /anew|again|into a new/)
const macros = refusedBook('macros', /holds macros\. Save it as \.xlsx/)
const forbidden = refusedBook('forbidden-xml', /document type/)

const adding = (...members: ZipMember[]) => peopleBook({ members })
const sheet = (inside: string) => () => peopleBook({ sheet: inside })
const rows = (inside: string) => () => peopleBook({ rows: headerRow + inside })
const whole = () => changedSheet({ deflate: true })
const cut = (part: number) => () => whole().subarray(0, Math.floor(whole().length * part))
const entities = '<!DOCTYPE x [<!ENTITY a "Quennell"><!ENTITY b "&a;&a;&a;">]>'
const outside = '<!DOCTYPE x SYSTEM "file:///etc/passwd">'

/** A workbook above one limit, which may be lowered so that the file stays small. */
const above = (
  name: string,
  parts: WrittenWorkbook,
  words: RegExp,
  limits: Partial<SourceLimits> = {},
): CorpusCase => ({
  name,
  file: 'results.xlsx',
  build: () => peopleBook(parts),
  options: { limits },
  expected: { refused: 'limit', sentence: words },
})
const many = (length: number): ZipMember[] => Array.from({ length }, (_, n) => ({ name: `xl/media/${n}`, content: '' }))
const zeros = (length: number): ZipMember => ({ name: 'xl/media/zeros', content: Buffer.alloc(length), deflate: true })
const texts = (count: number) => `<si><t>${'Quennell'.repeat(2_000)}</t></si>`.repeat(count)
const few = { idlePieces: 1_000 }
const emptyRow = `<row>${'<c/>'.repeat(5)}<c r="F" s="1"/></row>`
const blankRow = '<row><c t="str"><v> </v></c><c t="str"><v>\t</v></c></row>'
const big = 'Quennell'.repeat(5_000)

export const workbookHostileCases: CorpusCase[] = [
  damaged('is cut at 2 %', cut(0.02)),
  damaged('is cut at 60 %', cut(0.6)),
  damaged('is cut at 99 %', cut(0.99)),
  damaged('has a part with another sum', () => changedSheet({ deflate: true, lies: { crc: 1 } })),
  damaged('has a part that is longer than it says', () => changedSheet({ deflate: true, lies: { size: 100 } })),
  damaged('has a part that is shorter than it says', () => changedSheet({ deflate: true, lies: { size: 9_999_999 } })),
  damaged('has a part that is not packed as it says', () => changedSheet({ lies: { method: 8 } })),
  damaged('has a part packed in an unknown way', () => changedSheet({ lies: { method: 99 } })),
  damaged('has parts that overlap', () => changedSheet({ lies: { offset: 0 } })),
  damaged('has a part beyond its end', () => changedSheet({ lies: { offset: 4_000_000_000 } })),
  damaged('has two parts of one name', () => adding({ name: 'XL/Strings.xml', content: 'x' })),
  damaged('has a part with a path out of it', () => adding({ name: '../../etc/quennell', content: 'x' })),
  damaged('has a part with an absolute path', () => adding({ name: '/etc/quennell', content: 'x' })),
  damaged('has a part with the path of another system', () => adding({ name: 'C:\\quennell', content: 'x' })),
  damaged('has a link', () => adding({ name: 'xl/link', content: '/etc/passwd', lies: { mode: 0o120777 } })),
  damaged('lacks the sheet it lists', () => buildZip(workbookMembers({}).filter(({ name }) => !name.includes('only')))),
  damaged('has XML that ends early', sheet(`<worksheet><sheetData>${peopleRows}`)),
  damaged('has XML that is not valid', sheet('<worksheet><sheetData><row></c></sheetData></worksheet>')),
  damaged('uses an entity nobody declared', rows(inlineRow('&evil;'))),
  damaged('writes half of a surrogate pair as a number', rows(inlineRow('&#xD83D;'))),
  damaged('writes a NUL as a number', rows(inlineRow('&#0;'))),
  damaged('has letters that are not UTF-8', () =>
    peopleBook({ sheet: Buffer.from('<worksheet>\xff</worksheet>', 'latin1') }),
  ),
  damaged('refers to a text it does not hold', rows('<row><c t="s"><v>7</v></c></row>')),
  damaged('has rows that go back', rows('<row r="9"/><row r="3"/>')),
  damaged('has cells that go back', rows('<row><c r="B2"/><c r="A2"/></row>')),
  damaged('has two cells in one place', rows('<row><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>')),
  damaged('has a row of a number that is none', rows('<row r="1e9"/>')),
  forbidden('declares entities', sheet(`<?xml version="1.0"?>${entities}<worksheet>&b;</worksheet>`)),
  forbidden('declares entities among its texts', () =>
    adding({ name: 'xl/strings.xml', content: `${entities}<sst/>` }),
  ),
  forbidden('declares what lies outside of it', sheet(`${outside}<worksheet/>`)),
  forbidden('declares it in its list of parts', () =>
    adding({ name: 'xl/_rels/workbook.xml.rels', content: `${outside}<x/>` }),
  ),
  macros('holds macros', () => adding({ name: 'xl/vbaProject.bin', content: 'Quennell' })),
  macros('holds macros under another name', () =>
    peopleBook({ relationships: relation('v', 'vbaProject', 'harmless.bin') }),
  ),
  refusedBook('old-or-protected-workbook', /encrypted/)('is an encrypted ZIP', () =>
    changedSheet({ deflate: true, lies: { flags: 1 } }),
  ),
  above('has more parts than the limit', { members: many(60) }, /limit is 50/, { zipEntries: 50 }),
  above('unpacks to more than the limit', { members: [zeros(9_000)] }, /limit is 8000/, { inflatedBytes: 8_000 }),
  above('is a bomb', { members: [zeros(3_000_000)] }, /more than 100 times its size/, { ratioFromBytes: 1_000_000 }),
  above(
    'is a bomb of many small ones',
    { members: many(40).map((each, n) => ({ ...each, ...zeros(90_000), name: `z${n}` })) },
    /100 times/,
    { ratioFromBytes: 1_000_000 },
  ),
  above(
    'has a million columns',
    { rows: `<row>${'<c><v>1</v></c>'.repeat(100_000)}</row>` },
    /column 513; the limit is 512/,
  ),
  above(
    'has a cell in the last column there is',
    { rows: `${headerRow}<row><c r="XFD2"><v>1</v></c></row>` },
    /column 16384; the limit is 512/,
  ),
  above('has more rows than the limit', { rows: `${headerRow}<row r="1048577"/>` }, /beyond row 1048576/),
  above('has a huge cell', { rows: headerRow + inlineRow(big) }, /longer than 32767 characters/),
  above(
    'has a huge shared text in small pieces',
    { sharedStrings: `<si>${'<r><t>Quennell</t></r>'.repeat(5_000)}</si>` },
    /longer than 32767 characters/,
  ),
  above(
    'has a huge value',
    { rows: `${headerRow}<row><c t="str"><v>${big}</v></c></row>` },
    /longer than 32767 characters/,
  ),
  above('has empty cells without end', { rows: headerRow + emptyRow.repeat(200) }, /more than 1000 empty cells/, few),
  above(
    'has empty cells without end, written in another way',
    { rows: `<?go on?>${headerRow}${emptyRow.repeat(200)}` },
    /more than 1000 empty cells/,
    few,
  ),
  above('has cells of blanks without end', { rows: headerRow + blankRow.repeat(400) }, /more than 1000 empty/, few),
  above('has empty rows without end', { rows: headerRow + '<row/>'.repeat(2_000) }, /more than 1000 empty/, few),
  above('has filler without end', { sheet: `<worksheet>${'<x y="z"/>'.repeat(2_000)}` }, /more than 1000 empty/, few),
  above('has empty shared texts without end', { sharedStrings: '<si/>'.repeat(2_000) }, /more than 1000 empty/, few),
  above('has runs without text without end', { sharedStrings: `<si>${'<r/>'.repeat(2_000)}</si>` }, /1000 empty/, few),
  {
    name: 'has fewer empty cells than the limit between any two rows',
    file: 'results.xlsx',
    build: () => peopleBook({ rows: peopleRows.replaceAll('</row><row>', `</row>${emptyRow.repeat(90)}<row>`) }),
    options: { limits: few },
    expected: { header, rows: [zoe, ake] },
  },
  above('has shared texts beyond the limit', { sharedStrings: texts(140) }, /more than 2000000 bytes/, {
    sharedStringBytes: 2_000_000,
  }),
  above('nests XML deeply', { sheet: '<a>'.repeat(100_000) }, /deeper than 64 levels/),
  above('nests XML deeply among its styles', { styles: '<a>'.repeat(100_000) }, /deeper than 64 levels/),
  above('has a tag that never ends', { sheet: `<worksheet ${'a="1" '.repeat(40_000)}` }, /longer than 100000 bytes/, {
    xmlPieceBytes: 100_000,
  }),
  above(
    'has a comment that never ends',
    { sheet: `<worksheet><!--${'-x'.repeat(150_000)}` },
    /longer than 100000 bytes/,
    { xmlPieceBytes: 100_000 },
  ),
  above(
    'has a hundred thousand tiny styles',
    { styles: `<cellXfs>${'<xf/>'.repeat(100_000)}</cellXfs>` },
    /more than 65536 cell styles/,
  ),
  above(
    'has a hundred thousand number formats',
    {
      styles: `<numFmts>${Array.from({ length: 70_000 }, (_, n) => `<numFmt numFmtId="${n}" formatCode="0"/>`).join('')}</numFmts>`,
    },
    /65536/,
  ),
  above(
    'has an endless number format',
    { styles: `<numFmts><numFmt numFmtId="200" formatCode="${'0'.repeat(2_000)}"/></numFmts>` },
    /number format longer than 1000/,
  ),
  above('has a list of styles beyond the limit', { styles: `<x>${' '.repeat(9_000)}</x>` }, /longer than 8000 bytes/, {
    keptPartBytes: 8_000,
  }),
  above('lists parts without end', { relationships: relation('x', 'x', 'x').repeat(100) }, /more than 50 parts/, {
    zipEntries: 50,
  }),
  above('lists sheets without end', { workbook: `<sheets>${'<sheet/>'.repeat(100)}</sheets>` }, /more than 50 sheets/, {
    zipEntries: 50,
  }),
]
