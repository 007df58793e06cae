// Content of workbooks that people do not see as it is stored: hidden and struck rows, and the old container format.

import { describe, expect, test } from 'vitest'
import { readRefusal, readSource } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

const hide = (row: string) => row.replace('<row>', '<row hidden="1">')

describe('hidden rows', () => {
  test.each([
    [1, /^1 hidden row of the sheet was read too/],
    [3, /^3 hidden rows of the sheet were read too/],
  ])('are read, with a notice: %i', async (count, notice) => {
    const rows = inlineRow('A') + inlineRow('1') + hide(inlineRow('2')).repeat(count) + hide('<row></row>')
    const read = await readSource(writeWorkbook({ rows }))
    expect(read.cells).toEqual([['1'], ...Array(count).fill(['2'])])
    expect(read.notices).toEqual([expect.stringMatching(notice)])
  })
})

test('rows that are struck through are read, and a notice counts them', async () => {
  const styles =
    '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>' +
    '<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs>'
  const cell = (style: number, text: string) => `<c s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`
  const rows = `${inlineRow('One', 'Two')}<row>${cell(1, 'a')}${cell(1, 'b')}</row><row>${cell(1, 'c')}${cell(0, 'd')}</row><row>${cell(2, 'e')}</row>`
  const read = await readSource(writeWorkbook({ rows, styles }))
  expect(read.cells).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', ''],
  ])
  expect(read.notices).toEqual([expect.stringMatching(/^1 row of the sheet is struck through and was read/)])
})

describe('an OLE compound file', () => {
  const magic = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  // The name crosses the boundary of two chunks in which the file is read.
  const containerWith = (name: string, at: number) =>
    Buffer.concat([magic, Buffer.alloc(at - 8), Buffer.from(`${name}\0`, 'utf16le'), Buffer.alloc(5_000)])
  test.each([
    ['a workbook with a password', containerWith('EncryptedPackage', 65_530), /protected by a password/, /\.xls/],
    [
      'a workbook with a sensitivity label',
      Buffer.concat([containerWith('EncryptedPackage', 600), Buffer.from('\0DRMEncryptedDataSpace\0', 'utf16le')]),
      /sensitivity label .*export the table as CSV/,
      /password/,
    ],
    ['an old workbook', containerWith('Workbook', 65_530), /old \.xls format/, /password/],
    ['a still older workbook', containerWith('Book', 600), /old \.xls format/, /password/],
  ])('is recognized as %s', async (_, bytes, expected, unexpected) => {
    const refusal = await readRefusal(bytes)
    expect(refusal.code).toBe('old-or-protected-workbook')
    expect(refusal.sentence).toMatch(expected)
    expect(refusal.sentence).not.toMatch(unexpected)
  })

  test('is described as one of the two if it cannot be recognized', async () => {
    expect((await readRefusal(magic)).sentence).toMatch(/old \.xls format or one protected by a password/)
  })
})
