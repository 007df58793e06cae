// Sample files: workbooks that are damaged, forbidden or malicious.

import type { SourceErrorCode } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { buildZip, type ZipMember } from '#test/support/build-zip.ts'
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
const macros = refusedBook('macros', /contains macros\. Save it as \.xlsx/)
const forbidden = refusedBook('forbidden-xml', /document type/)

const withMembers = (...members: ZipMember[]) => peopleBook({ members })
const sheet = (inside: string) => () => peopleBook({ sheet: inside })
const rows = (inside: string) => () => peopleBook({ rows: headerRow + inside })
const whole = () => changedSheet({ deflate: true })
const cutAt = (part: number) => () => whole().subarray(0, Math.floor(whole().length * part))
const entities = '<!DOCTYPE x [<!ENTITY a "Quennell"><!ENTITY b "&a;&a;&a;">]>'
const outside = '<!DOCTYPE x SYSTEM "file:///etc/passwd">'

/** Makes a case of a workbook that exceeds one limit. The limit may be lowered to keep the file small. */
const aboveLimit = (
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
const smallLimit = { emptyPieces: 1_000 }
const emptyRow = `<row>${'<c/>'.repeat(5)}<c r="F" s="1"/></row>`
const blankRow = '<row><c t="str"><v> </v></c><c t="str"><v>\t</v></c></row>'
const big = 'Quennell'.repeat(5_000)

export const workbookHostileCases: CorpusCase[] = [
  damaged('is cut at 2 %', cutAt(0.02)),
  damaged('is cut at 60 %', cutAt(0.6)),
  damaged('is cut at 99 %', cutAt(0.99)),
  {
    name: 'is filled with zero bytes from 60 % on',
    file: 'results.xlsx',
    build: () => Buffer.concat([cutAt(0.6)(), Buffer.alloc(4_000)]),
    expected: { refused: 'damaged', sentence: /cut off.*copy/ },
  },
  damaged('has a part with a wrong checksum', () => changedSheet({ deflate: true, lies: { crc: 1 } })),
  damaged('has a part that is longer than declared', () => changedSheet({ deflate: true, lies: { size: 100 } })),
  damaged('has a part that is shorter than declared', () => changedSheet({ deflate: true, lies: { size: 9_999_999 } })),
  damaged('has a part that is not compressed as declared', () => changedSheet({ lies: { method: 8 } })),
  damaged('has a part packed in an unknown way', () => changedSheet({ lies: { method: 99 } })),
  damaged('has parts that overlap', () => changedSheet({ lies: { offset: 0 } })),
  damaged('has a part beyond its end', () => changedSheet({ lies: { offset: 4_000_000_000 } })),
  damaged('has two parts of the same name', () => withMembers({ name: 'XL/Strings.xml', content: 'x' })),
  damaged('has a part whose path leads out of it', () => withMembers({ name: '../../etc/quennell', content: 'x' })),
  damaged('has a part with the path of another system', () => withMembers({ name: 'C:\\quennell', content: 'x' })),
  damaged('has a link', () => withMembers({ name: 'xl/link', content: '/etc/passwd', lies: { mode: 0o120777 } })),
  damaged('lacks the sheet it lists', () => buildZip(workbookMembers({}).filter(({ name }) => !name.includes('only')))),
  damaged('has invalid XML', sheet('<worksheet><sheetData><row></c></sheetData></worksheet>')),
  damaged('refers to a shared string that does not exist', rows('<row><c t="s"><v>7</v></c></row>')),
  damaged('has rows in the wrong order', rows('<row r="9"/><row r="3"/>')),
  damaged('has cells in the wrong order', rows('<row><c r="B2"/><c r="A2"/></row>')),
  damaged('has two cells in the same position', rows('<row><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>')),
  damaged('has a row with an invalid number', rows('<row r="1e9"/>')),
  forbidden('declares entities', sheet(`<?xml version="1.0"?>${entities}<worksheet>&b;</worksheet>`)),
  forbidden('declares entities in its shared strings', () =>
    withMembers({ name: 'xl/strings.xml', content: `${entities}<sst/>` }),
  ),
  forbidden('declares an external entity', sheet(`${outside}<worksheet/>`)),
  forbidden('declares an external entity in its list of parts', () =>
    withMembers({ name: 'xl/_rels/workbook.xml.rels', content: `${outside}<x/>` }),
  ),
  macros('contains macros', () => withMembers({ name: 'xl/vbaProject.bin', content: 'Quennell' })),
  macros('contains macros under a different name', () =>
    peopleBook({ relationships: relation('v', 'vbaProject', 'harmless.bin') }),
  ),
  refusedBook('old-or-protected-workbook', /encrypted/)('is an encrypted ZIP', () =>
    changedSheet({ deflate: true, lies: { flags: 1 } }),
  ),
  aboveLimit('has more parts than the limit', { members: many(60) }, /limit is 50/, { zipEntries: 50 }),
  aboveLimit('unpacks to more than the limit', { members: [zeros(9_000)] }, /limit is 8000/, { inflatedBytes: 8_000 }),
  aboveLimit('is a bomb', { members: [zeros(3_000_000)] }, /more than 100 times its size/, {
    ratioFromBytes: 1_000_000,
  }),
  aboveLimit(
    'is a bomb of many small parts',
    { members: many(40).map((each, n) => ({ ...each, ...zeros(90_000), name: `z${n}` })) },
    /100 times/,
    { ratioFromBytes: 1_000_000 },
  ),
  aboveLimit(
    'has a hundred thousand columns',
    { rows: `<row>${'<c><v>1</v></c>'.repeat(100_000)}</row>` },
    /column 513; the limit is 512/,
  ),
  aboveLimit('has more rows than the limit', { rows: `${headerRow}<row r="1048577"/>` }, /limit of 1048576/),
  aboveLimit('has a huge cell', { rows: headerRow + inlineRow(big) }, /limit of 32767 characters/),
  aboveLimit(
    'has a huge shared string in small pieces',
    { sharedStrings: `<si>${'<r><t>Quennell</t></r>'.repeat(5_000)}</si>` },
    /limit of 32767 characters/,
  ),
  aboveLimit(
    'has too many empty cells',
    { rows: headerRow + emptyRow.repeat(200) },
    /more than 1000 empty cells/,
    smallLimit,
  ),
  aboveLimit(
    'has too many cells of blanks',
    { rows: headerRow + blankRow.repeat(400) },
    /more than 1000 empty/,
    smallLimit,
  ),
  aboveLimit(
    'has too many empty rows',
    { rows: headerRow + '<row/>'.repeat(2_000) },
    /more than 1000 empty/,
    smallLimit,
  ),
  aboveLimit(
    'has too many empty shared strings',
    { sharedStrings: '<si/>'.repeat(2_000) },
    /more than 1000 empty/,
    smallLimit,
  ),
  {
    name: 'has fewer empty cells than the limit between any two rows',
    file: 'results.xlsx',
    build: () => peopleBook({ rows: peopleRows.replaceAll('</row><row>', `</row>${emptyRow.repeat(90)}<row>`) }),
    options: { limits: smallLimit },
    expected: { header, rows: [zoe, ake] },
  },
  aboveLimit('has shared strings beyond the limit', { sharedStrings: texts(140) }, /limit of 2000000 bytes/, {
    sharedStringBytes: 2_000_000,
  }),
  aboveLimit('nests XML deeply', { sheet: '<a>'.repeat(100_000) }, /limit of 64 levels/),
  aboveLimit(
    'has a hundred thousand tiny styles',
    { styles: `<cellXfs>${'<xf/>'.repeat(100_000)}</cellXfs>` },
    /limit of 65536/,
  ),
  aboveLimit(
    'has seventy thousand number formats',
    {
      styles: `<numFmts>${Array.from({ length: 70_000 }, (_, n) => `<numFmt numFmtId="${n}" formatCode="0"/>`).join('')}</numFmts>`,
    },
    /65536/,
  ),
  aboveLimit(
    'has an endless number format',
    { styles: `<numFmts><numFmt numFmtId="200" formatCode="${'0'.repeat(2_000)}"/></numFmts>` },
    /number format that is longer than the limit of 1000/,
  ),
  aboveLimit(
    'has a list of styles beyond the limit',
    { styles: `<x>${' '.repeat(9_000)}</x>` },
    /limit of 8000 bytes/,
    {
      keptPartBytes: 8_000,
    },
  ),
  aboveLimit('lists too many sheets', { workbook: `<sheets>${'<sheet/>'.repeat(100)}</sheets>` }, /limit of 50/, {
    zipEntries: 50,
  }),
]
