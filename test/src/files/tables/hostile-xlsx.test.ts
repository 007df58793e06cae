// Damaged and malicious workbooks are refused quickly, with a typed error.

import { describe, expect, test } from 'vitest'
import { openSource } from '#src/files/tables/open-source.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { buildZip, type ZipMember } from '#test/support/build-zip.ts'
import { readRefusal, readSource, withFile } from '#test/support/read-source.ts'
import {
  inlineRow,
  relation,
  type WrittenWorkbook,
  workbookMembers,
  writeWorkbook,
} from '#test/support/written-workbook.ts'

const rows = inlineRow('A', 'B') + inlineRow('1', '2').repeat(2_000)
const sheetName = 'xl/worksheets/only.xml'

/** Makes an ordinary workbook with `change` applied to the member that contains its sheet. */
function withSheet(change: Partial<ZipMember>): Buffer {
  const members = workbookMembers({ rows })
  return buildZip(members.map((member) => (member.name === sheetName ? { ...member, ...change } : member)))
}

const withMembers = (...members: ZipMember[]) => writeWorkbook({ rows, members })

test('the unchanged workbook is accepted', async () => {
  const read = await readSource(withSheet({ deflate: true }))
  expect(read.rows.map(({ cells }) => cells)).toEqual(Array(2_000).fill(['1', '2']))
})

describe('a damaged workbook', () => {
  const whole = withSheet({ deflate: true })
  const cut = [0.02, 0.6, 0.99].map((part): [string, Buffer] => [
    `is cut at ${part * 100} %`,
    whole.subarray(0, whole.length * part),
  ])
  test.each<[string, Buffer, string?]>([
    ...cut,
    ['has a part with a wrong checksum', withSheet({ deflate: true, lies: { crc: 1 } })],
    ['has a part that is longer than declared', withSheet({ deflate: true, lies: { size: 1_000 } })],
    ['has a part that is shorter than declared', withSheet({ deflate: true, lies: { size: 10_000_000 } })],
    ['has a part that is not compressed data', withSheet({ lies: { method: 8 } })],
    ['has a part packed in an unknown way', withSheet({ lies: { method: 99 } }), 'unusual way'],
    ['has parts that overlap', withSheet({ lies: { offset: 0 } }), 'overlap'],
    ['has a part beyond its end', withSheet({ lies: { offset: 4_000_000_000 } }), 'overlap'],
    ['has two parts of the same name', withMembers({ name: 'XL/Strings.xml', content: 'x' }), 'same name'],
    ['has a part whose path leads out of it', withMembers({ name: '../evil.xml', content: 'x' })],
    [
      'has a link among its parts',
      withMembers({ name: 'link', content: '/etc/passwd', lies: { mode: 0o120777 } }),
      'link',
    ],
    ['lacks the sheet it lists', buildZip(workbookMembers({ rows }).filter((member) => member.name !== sheetName))],
    ['has XML that ends early', writeWorkbook({ sheet: `<worksheet><sheetData>${rows}` })],
    ['has invalid XML', writeWorkbook({ sheet: '<worksheet><sheetData><row></c></sheetData></worksheet>' })],
    ['uses an undeclared entity', writeWorkbook({ rows: inlineRow('&evil;') })],
    [
      'has characters that are not UTF-8',
      writeWorkbook({ sheet: Buffer.from('<worksheet>\xff</worksheet>', 'latin1') }),
    ],
    ['refers to a shared string that does not exist', writeWorkbook({ rows: '<row><c t="s"><v>7</v></c></row>' })],
    ['has rows in the wrong order', writeWorkbook({ rows: '<row r="2"/><row r="1"/>' })],
    ['has cells in the wrong order', writeWorkbook({ rows: '<row><c r="B1"/><c r="A1"/></row>' })],
  ])(
    'is refused when it %s',
    async (_, bytes, words) => {
      const refusal = await readRefusal(bytes)
      expect(refusal.code).toBe('damaged')
      expect(refusal.sentence).toContain(words ?? '')
    },
    30_000,
  )
})

test('a part longer than declared is refused at the first extra byte, before any row is returned', async () => {
  const bytes = withSheet({ deflate: true, lies: { size: 1_000 } })
  await expect(withFile(bytes, openSource)).rejects.toMatchObject({ code: 'damaged' })
})

describe('a forbidden workbook', () => {
  const doctype = '<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;">]>'
  test.each<[string, string, Buffer]>([
    ['contains a DOCTYPE', 'forbidden-xml', writeWorkbook({ sheet: `<?xml version="1.0"?>${doctype}<worksheet/>` })],
    [
      'contains a DOCTYPE in its shared strings',
      'forbidden-xml',
      withMembers({ name: 'xl/strings.xml', content: `${doctype}<sst/>` }),
    ],
    ['contains macros', 'macros', withMembers({ name: 'xl/vbaProject.bin', content: 'x' })],
    [
      'contains macros under a different name',
      'macros',
      writeWorkbook({ rows, relationships: relation('v', 'vbaProject', 'harmless.bin') }),
    ],
    ['is encrypted', 'old-or-protected-workbook', withSheet({ deflate: true, lies: { flags: 1 } })],
  ])('is refused when it %s', async (_, code, bytes) => {
    expect((await readRefusal(bytes)).code).toBe(code)
  })
})

describe('a workbook above a limit', () => {
  const many = (length: number, name: (index: number) => string) =>
    Array.from({ length }, (_, index) => ({ name: name(index), content: '' }))
  const texts = (count: number) => `<si><t>${'x'.repeat(30_000)}</t></si>`.repeat(count)
  const tag = '<row><c><v>1</v></c></row>'
  test.each<[string, string, WrittenWorkbook, Partial<SourceLimits>]>([
    ['parts', '2000', { members: many(2_000, (index) => `xl/media/${index}`) }, {}],
    ['bytes', '5000', { rows }, { inflatedBytes: 5_000 }],
    [
      'density',
      '100',
      { members: [{ name: 'xl/media/zeros', content: Buffer.alloc(17 * 1024 * 1024), deflate: true }] },
      {},
    ],
    ['columns', '512', { rows: inlineRow('A') + inlineRow(...Array(513).fill('1')) }, {}],
    ['rows', '1048576', { rows: '<row r="1048577"/>' }, {}],
    ['characters of a cell', '32767', { rows: inlineRow('A', 'x'.repeat(32_768)) }, {}],
    ['characters of a shared string', '32767', { sharedStrings: `<si>${'<r><t>y</t></r>'.repeat(32_768)}</si>` }, {}],
    ['characters of a formula’s text', '32767', { rows: `<row><c t="str"><v>${'z'.repeat(32_768)}</v></c></row>` }, {}],
    ['bytes of shared strings', '2097152', { sharedStrings: texts(100) }, { sharedStringBytes: 2 * 1024 * 1024 }],
    ['nesting', '64', { sheet: '<a>'.repeat(1_000_000) }, {}],
    ['one tag', '1048576', { sheet: `<worksheet ${'a'.repeat(3_000_000)}` }, {}],
    ['one comment', '1048576', { sheet: `<worksheet><!--${'-x'.repeat(3_000_000)}` }, {}],
    ['bytes of a list', '3000', { rows: tag, styles: `<x>${' '.repeat(3_000)}</x>` }, { keptPartBytes: 3_000 }],
    ['listed parts', '2000', { relationships: relation('x', 'x', 'x').repeat(2_000) }, {}],
    ['listed sheets', '2000', { workbook: `<sheets>${'<sheet/>'.repeat(2_001)}</sheets>` }, {}],
    ['cell styles', '65536', { rows: tag, styles: `<cellXfs>${'<xf/>'.repeat(65_537)}</cellXfs>` }, {}],
  ])(
    'is refused with the value of the limit: %s',
    async (_, limit, parts, limits) => {
      const refusal = await readRefusal(writeWorkbook(parts), { limits })
      expect(refusal.code).toBe('limit')
      expect(refusal.sentence).toContain(limit)
    },
    30_000,
  )
})
