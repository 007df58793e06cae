// What is read from workbooks, both ordinary ones that a library wrote and unusual ones that were written by hand.

import ExcelJS from 'exceljs'
import { describe, expect, test } from 'vitest'
import { openSource } from '#src/files/tables/open-source.ts'
import { buildZip } from '#test/support/build-zip.ts'
import { readRefusal, readSource, withFile } from '#test/support/read-source.ts'
import { inlineRow, relation, relationships, workbookMembers, writeWorkbook } from '#test/support/written-workbook.ts'

async function writeWithLibrary(fill: (book: ExcelJS.Workbook) => void): Promise<Buffer> {
  const book = new ExcelJS.Workbook()
  fill(book)
  return Buffer.from(await book.xlsx.writeBuffer())
}

const headerRow = inlineRow('A', 'B')
const styles =
  '<numFmts><numFmt numFmtId="170" formatCode="0000000"/><numFmt numFmtId="171" formatCode="[$-407]d/\\ mmmm\\ yyyy;@"/>' +
  '<numFmt numFmtId="172" formatCode="0.0 &quot;days&quot;"/><numFmt numFmtId="173" formatCode="000\\-00"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  `<cellXfs>${[0, 14, 170, 171, 172, 173, 22, 46].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`

/** Reads a workbook whose second row is `cells`. */
async function readCells(cells: string, parts: Parameters<typeof writeWorkbook>[0] = {}) {
  const read = await readSource(writeWorkbook({ rows: `${headerRow}<row>${cells}</row>`, styles, ...parts }))
  return read.rows[0]
}

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

  test('is read at its first visible sheet, or at the named one, hidden or not', async () => {
    const bytes = await writeWithLibrary((book) => {
      for (const [name, state] of [
        ['Old', 'veryHidden'],
        ['Lists', 'hidden'],
        ['Now', 'visible'],
        ['Later', 'visible'],
      ] as const) {
        const sheet = book.addWorksheet(name, { state })
        sheet.addRows([['Sheet'], [name]])
      }
    })
    const read = await readSource(bytes)
    expect(read.cells).toEqual([['Now']])
    expect(read.notices).toEqual([expect.stringContaining('first of 2 visible sheets')])
    expect((await readSource(bytes, { sheet: 'Lists' })).cells).toEqual([['Lists']])
    expect((await readSource(bytes, { sheet: 'later' })).cells).toEqual([['Later']])
    expect((await readRefusal(bytes, { sheet: 'None' })).code).toBe('sheet-missing')
  })

  test('is refused with the way out if the first of its visible sheets is empty', async () => {
    const bytes = await writeWithLibrary((book) => {
      book.addWorksheet('Cover')
      book.addWorksheet('List').addRows([['Name'], ['Ada']])
    })
    const { code, sentence } = await readRefusal(bytes)
    expect(code).toBe('header-missing')
    expect(sentence).toMatch(/Only the first of 2 visible sheets is read, .* Name the other as file\.sheet/)
  })

  test('returns 5,000 distinct names from its shared strings unchanged', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `Ελένη 李娜 ${index} 😀`)
    const bytes = await writeWithLibrary((book) =>
      book.addWorksheet('S').addRows([['Name'], ...names.map((name) => [name])]),
    )
    expect((await readSource(bytes)).cells.flat()).toEqual(names)
  })
})

describe('a cell', () => {
  test.each([
    ['a number without noise', '<c><v>19.989999999999998</v></c>', '19.99', 'number'],
    ['a large number in full', '<c><v>1.23E+11</v></c>', '123000000000', 'number'],
    ['a number whose last digits are lost', '<c><v>1234567890123456789</v></c>', '1.23456789012346E+18', 'number'],
    ['a negative zero', '<c><v>-0</v></c>', '0', 'number'],
    ['an invalid number', '<c><v>abc</v></c>', 'abc', 'error'],
    ['a built-in date', '<c s="1"><v>45352</v></c>', '2024-03-01', 'date'],
    ['a date with a time', '<c s="6"><v>45352.5</v></c>', '2024-03-01T12:00:00', 'date'],
    ['a date just before midnight', '<c s="6"><v>45351.999999</v></c>', '2024-03-01', 'date'],
    ['a custom date', '<c s="3"><v>61</v></c>', '1900-03-01', 'date'],
    ['a date before the day that never existed', '<c s="1"><v>59</v></c>', '1900-02-28', 'date'],
    ['the day that never existed', '<c s="1"><v>60</v></c>', '1900-02-29', 'date'],
    ['a time of day', '<c s="7"><v>0.75</v></c>', '18:00:00', 'date'],
    ['a number outside the calendar', '<c s="1"><v>-1</v></c>', '-1', 'date'],
    ['a number with a unit that contains d and y', '<c s="4"><v>3</v></c>', '3.0 days', 'number:3'],
    ['a padded number', '<c s="2"><v>815</v></c>', '0000815', 'text'],
    ['a padded number that is longer', '<c s="2"><v>123456789</v></c>', '123456789', 'text'],
    ['a padded number with a dash', '<c s="5"><v>123456</v></c>', '1234-56', 'text'],
    ['an ISO date of a strict workbook', '<c t="d"><v>2024-03-01T00:00:00Z</v></c>', '2024-03-01', 'date'],
    ['the text of a formula', '<c t="str"><f>X()</f><v>a_x000D_b</v></c>', 'a\rb', 'text'],
    ['the error of a formula', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!', 'error'],
    ['the date of a formula', '<c s="1"><f>NOW()</f><v>45352</v></c>', '2024-03-01', 'date'],
    [
      'inline runs without phonetic guides',
      '<c t="inlineStr"><is><r><t>東</t></r><r><t xml:space="preserve"> 京</t></r><rPh sb="0" eb="1"><t>トウ</t></rPh></is></c>',
      '東 京',
      'text',
    ],
    ['an escaped line end', '<c t="inlineStr"><is><t>a_x000D_&#10;b</t></is></c>', 'a\r\nb', 'text'],
    ['text that only looks escaped', '<c t="inlineStr"><is><t>_x005F_x000D_</t></is></c>', '_x000D_', 'text'],
    ['text in CDATA', '<c t="inlineStr"><is><t><![CDATA[<b>&]]></t></is></c>', '<b>&', 'text'],
  ])('returns %s', async (_, cell, text, kind) => {
    expect(await readCells(cell)).toMatchObject({ row: 2, cells: [text, ''], kinds: [kind, 'empty'] })
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
  ])('with the ISO date %s has the number %s of a day', async (date, number) => {
    const row = await readCells(`<c s="3" t="d"><v>${date}</v></c>`)
    expect(JSON.parse(row?.raw ?? '[]')).toEqual(number ? [[0, number, expect.stringContaining('yyyy')]] : [])
  })

  test('in a 1904 workbook has the right date', async () => {
    const workbook = '<workbookPr date1904="true"/><sheets><sheet name="S" r:id="s1"/></sheets>'
    const row = await readCells('<c s="1"><v>0</v></c><c s="1"><v>43890</v></c>', { workbook })
    expect(row?.cells).toEqual(['1904-01-01', '2024-03-01'])
  })

  test('refers to shared strings: plain, rich and empty', async () => {
    const sharedStrings = '<si><t>one</t></si><si/><si><r><t>t</t></r><r><t>wo</t></r><phoneticPr/></si>'
    const cells = [2, 1, 0].map((index) => `<c t="s"><v>${index}</v></c>`).join('')
    const bytes = writeWorkbook({ rows: `${inlineRow('A', 'B', 'C')}<row>${cells}</row>`, sharedStrings })
    expect((await readSource(bytes)).rows[0]).toMatchObject({
      cells: ['two', '', 'one'],
      kinds: ['text', 'empty', 'text'],
    })
  })

  test('with a formula that was never calculated is a problem of its row', async () => {
    const row = await readCells('<c><v>1</v></c><c><f>A1</f></c>')
    expect(row).toMatchObject({ cells: ['1', ''], problem: { rule: 'formula-without-value' } })
  })

  test('with an escaped NUL is a problem of its row', async () => {
    const row = await readCells('<c t="inlineStr"><is><t>a_x0000_b</t></is></c>')
    expect(row).toMatchObject({ cells: ['a\ufffdb', ''], problem: { rule: 'invalid-characters' } })
  })

  test('beyond the header is a problem of its row unless it is empty', async () => {
    const rows = `${headerRow}<row>${'<c><v>1</v></c>'.repeat(3)}</row><row><c><v>1</v></c><c r="XFD3" s="1"/></row>`
    const read = await readSource(writeWorkbook({ rows, styles }))
    expect(read.rows.map((row) => row.problem?.rule)).toEqual(['ragged-row', undefined])
  })
})

describe('an unusual workbook', () => {
  test('is read with rows and cells in the positions of their references, or in sequence without them', async () => {
    const rows =
      '<row r="3"><c r="A3" t="str"><v>A</v></c><c t="str"><v>B</v></c><c r="C3" t="str"><v>C</v></c></row>' +
      '<row r="5"/><row r="9"><c r="C9"><v>3</v></c></row><row><c r="A10"><v>1</v></c><c r="B10"><v> </v></c></row>'
    const read = await readSource(writeWorkbook({ rows }))
    expect(read.rows.map(({ row, cells }) => [row, ...cells])).toEqual([
      [9, '', '', '3'],
      [10, '1', '', ''],
    ])
  })

  test('is read if every element has a prefix and parts have unusual names', async () => {
    const main = 'xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"'
    const sheet =
      `<?xml version="1.0"?><x:worksheet ${main}><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>A</x:t></x:is></x:c></x:row>` +
      '<x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    const workbook = `<x:workbook ${main} xmlns:q="u"><x:sheets><x:sheet name="S" q:id="one"/></x:sheets></x:workbook>`
    const read = await readSource(
      buildZip([
        { name: 'odd/Table.XML', content: sheet, deflate: true },
        { name: 'odd/deep/book.xml', content: workbook },
        { name: 'odd/deep/_rels/book.xml.rels', content: relationships(relation('one', 'worksheet', '../table.xml')) },
        { name: '_rels/.rels', content: relationships(relation('r', 'officeDocument', '/odd/deep/book.xml')) },
      ]),
    )
    expect(read.cells).toEqual([['7']])
  })

  test('is read if a part is UTF-16', async () => {
    const sheet = Buffer.from(
      `\ufeff<?xml version="1.0" encoding="UTF-16"?><worksheet><sheetData>${inlineRow('Ü')}${inlineRow('ß')}</sheetData></worksheet>`,
      'utf16le',
    )
    const read = await readSource(writeWorkbook({ sheet }))
    expect([read.header, ...read.cells]).toEqual([['Ü'], ['ß']])
  })

  test('is read without its charts, which are also listed as sheets', async () => {
    const workbook = '<sheets><sheet name="Chart" r:id="c"/><sheet name="S" r:id="s1"/></sheets>'
    const parts = {
      workbook,
      relationships: relation('c', 'chartsheet', 'chart.xml'),
      rows: inlineRow('A') + inlineRow('1'),
    }
    const read = await readSource(writeWorkbook(parts))
    expect(read.cells).toEqual([['1']])
    expect(read.notices).toEqual([])
  })
})

describe('a ZIP that is not a workbook', () => {
  test.each([
    ['a ZIP without a table', [{ name: 'photo.png', content: 'x' }], /images/],
    [
      'an OpenDocument table',
      [
        { name: 'mimetype', content: 'x' },
        { name: 'content.xml', content: '<x/>' },
      ],
      /OpenDocument/,
    ],
    [
      'another document',
      workbookMembers({ members: [{ name: 'xl/workbook.xml', content: '<document/>' }] }),
      /office document/,
    ],
  ])('is refused as %s', async (_, members, sentence) => {
    const refusal = await readRefusal(buildZip(members))
    expect(refusal.code).toBe('zip-not-workbook')
    expect(refusal.sentence).toMatch(sentence)
  })
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
