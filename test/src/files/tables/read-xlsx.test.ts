// What is read from workbooks, both ordinary ones that a library wrote and unusual ones that were written by hand.

import { describe, expect, test } from 'vitest'
import { openSource } from '#src/files/tables/open-source.ts'
import { readRefusal, readSource, withFile } from '#test/support/read-source.ts'
import { inlineRow, relation, relationships, writeWorkbook } from '#test/support/written-workbook.ts'
import { writeWithLibrary } from './corpus/sheets.ts'

const headerRow = inlineRow('A', 'B')

describe('a workbook from a library', () => {
  test.each([false, true])(
    'returns text, numbers, dates, formulas and errors with their kinds (1904: %s)',
    async (date1904) => {
      const bytes = await writeWithLibrary((book) => {
        book.properties.date1904 = date1904
        const sheet = book.addWorksheet('Results')
        sheet.addRow(['Name', 'Points', 'Day', 'Time', 'Sum', 'Passed', 'Bad', 'Number', 'Mail'])
        sheet.addRow([])
        const row = sheet.addRow([
          { richText: [{ text: 'Zoë ' }, { font: { bold: true }, text: 'Müller' }] },
          0.1 + 0.2,
          new Date('1989-12-31T00:00:00Z'),
          new Date('2024-02-29T13:45:06Z'),
          { formula: 'B2*2', result: 0.6 },
          true,
          { error: '#N/A' },
          815,
          { text: 'zoe@example.org', hyperlink: 'mailto:zoe@example.org' },
        ])
        row.getCell(3).numFmt = 'dd.mm.yyyy'
        row.getCell(4).numFmt = 'yyyy-mm-dd hh:mm:ss'
        row.getCell(8).numFmt = '0000000'
      })
      const read = await readSource(bytes)
      expect(read.format).toBe('xlsx')
      expect(read.header).toEqual(['Name', 'Points', 'Day', 'Time', 'Sum', 'Passed', 'Bad', 'Number', 'Mail'])
      expect(read.rows).toEqual([
        {
          row: 3,
          cells: [
            'Zoë Müller',
            '0.3',
            '1989-12-31',
            '2024-02-29T13:45:06',
            '0.6',
            'TRUE',
            '#N/A',
            '0000815',
            'zoe@example.org',
          ],
          kinds: ['text', 'number', 'date', 'date', 'number', 'boolean', 'error', 'text', 'text'],
          raw: expect.any(String),
        },
      ])
      // Text, errors and results of formulas have no raw value. Days are counted from 1899-12-30.
      expect(JSON.parse(read.rows[0]?.raw as string)).toEqual([
        [1, 0.1 + 0.2],
        [2, 32_873, 'dd.mm.yyyy'],
        [3, expect.closeTo(45_351.572986, 6), 'yyyy-mm-dd hh:mm:ss'],
        [5, true],
        [7, 815, '0000000'],
      ])
    },
  )

  test('is refused with the way out if the first of its visible sheets is empty', async () => {
    const bytes = await writeWithLibrary((book) => {
      book.addWorksheet('Cover')
      book.addWorksheet('List').addRows([['Name'], ['Ada']])
    })
    const { code, sentence } = await readRefusal(bytes)
    expect(code).toBe('header-missing')
    expect(sentence).toMatch(/Only the first of 2 visible sheets is read, .* Name the other as file\.sheet/)
  })
})

// A corrected file shows the date as a date again.
test.each([
  ['2024-03-01T00:00:00.000', 45_352],
  ['2024-03-01T12:00:00Z', 45_352.5],
  ['1900-03-01', 61],
  ['9999-12-31', 2_958_465],
  ['1900-02-28', undefined],
  ['12:00:00', undefined],
  ['2024-13-01', undefined],
])('a cell with the ISO date %s has the number %s of a day', async (date, number) => {
  const styles = '<numFmts><numFmt numFmtId="171" formatCode="yyyy"/></numFmts><cellXfs><xf numFmtId="171"/></cellXfs>'
  const rows = `${headerRow}<row><c s="0" t="d"><v>${date}</v></c></row>`
  const [row] = (await readSource(writeWorkbook({ rows, styles }))).rows
  expect(JSON.parse(row?.raw ?? '[]')).toEqual(number ? [[0, number, expect.stringContaining('yyyy')]] : [])
})

test('pictures over cells are counted below the header only', async () => {
  const at = (row: number) =>
    `<xdr:twoCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:row>${row}</xdr:row></xdr:from><xdr:to><xdr:row>9</xdr:row></xdr:to>`
  const picture = '<xdr:pic/></xdr:twoCellAnchor>'
  const grouped = '<xdr:grpSp><xdr:pic/></xdr:grpSp></xdr:twoCellAnchor>'
  const chart = '<xdr:graphicFrame/></xdr:twoCellAnchor>'
  const fixed = '<xdr:absoluteAnchor><xdr:pic/></xdr:absoluteAnchor>'
  const drawing = `<xdr:wsDr xmlns:xdr="x">${at(0)}${picture}${at(1)}${picture}${at(2)}${grouped}${at(3)}${chart}${fixed}</xdr:wsDr>`
  const members = [
    {
      name: 'xl/worksheets/_rels/only.xml.rels',
      content: relationships(relation('d', 'drawing', '../drawings/d.xml')),
    },
    { name: 'xl/drawings/d.xml', content: drawing },
  ]
  const bytes = writeWorkbook({ rows: headerRow + inlineRow('1', '2'), members })
  const pictures = await withFile(bytes, async (path) => {
    await using source = await openSource(path)
    return source.pictures
  })
  expect(pictures).toBe(2)
})
