// Content of workbooks that people do not see as it is stored: hidden and struck rows.

import { describe, expect, test } from 'vitest'
import { readSource } from '#test/support/read-source.ts'
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
