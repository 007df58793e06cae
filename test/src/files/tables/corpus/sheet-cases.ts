// Sample files: workbooks with different structures of parts, sheets, rows and cells.

import { buildZip } from '#test/support/build-zip.ts'
import { inlineRow, relation, relationships } from '#test/support/written-workbook.ts'
import type { CorpusCase } from './corpus-case.ts'
import { ake, both, header, zoe } from './people.ts'
import { headerRow, peopleBook, peopleRows, styles, writeWithLibrary } from './sheets.ts'

const file = 'results.xlsx'
const main = 'xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"'
const prefixed = (xml: string) => xml.replace(/<(\/?)(\w)/g, '<$1x:$2')

/** Makes a workbook with these sheets, in tab order and with their states. Each sheet contains its own name. */
const tabs = (...states: [string, 'visible' | 'hidden' | 'veryHidden'][]) =>
  writeWithLibrary((book) => {
    for (const [name, state] of states) book.addWorksheet(name, { state }).addRows([header, [name, 'x']])
  })
const rowsOfSheet = (name: string, ...notices: RegExp[]) => ({ header, rows: [[name, 'x']], notices })
const firstOf = (count: number) => new RegExp(`first of ${count} visible sheets`)
const bookWithUnusualNames = (sheet: string, workbook: string) =>
  buildZip([
    { name: '_rels/.rels', content: relationships(relation('r', 'officeDocument', '/odd/deep/book.xml')) },
    { name: 'odd/Table.XML', content: sheet, deflate: true },
    { name: 'odd/deep/book.xml', content: workbook },
    { name: 'odd/deep/_rels/book.xml.rels', content: relationships(relation('one', 'worksheet', '../table.xml')) },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet><sheetData>${inlineRow('Wrong')}</sheetData></worksheet>`,
    },
  ])
const plainBook = '<workbook><sheets><sheet name="S" r:id="one"/></sheets></workbook>'
const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`

export const sheetCases: CorpusCase[] = [
  {
    name: 'comes from a library, with links, rich text, dates, and empty rows and columns at its end',
    file,
    build: () =>
      writeWithLibrary((book) => {
        const sheet = book.addWorksheet('S')
        sheet.addRow([...header, 'Born', '', ''])
        const row = sheet.addRow([
          { richText: [{ text: 'Zoë ' }, { text: 'Quennell', font: { bold: true } }] },
          { text: 'zoe@quennell.example', hyperlink: 'mailto:zoe@quennell.example' },
          new Date('1990-12-31T00:00:00Z'),
        ])
        row.getCell(3).numFmt = 'dd/mm/yyyy'
        sheet.getCell('H40').numFmt = '0.00'
        sheet.getCell('A90').value = ''
      }),
    expected: { header: [...header, 'Born'], rows: [[...zoe, '1990-12-31']], kinds: ['text', 'text', 'date'] },
  },
  {
    name: 'has several sheets',
    file,
    build: () => tabs(['One', 'visible'], ['Two', 'visible']),
    expected: rowsOfSheet('One', firstOf(2)),
  },
  {
    name: 'has hidden sheets in front',
    file,
    build: () => tabs(['Very', 'veryHidden'], ['Hid', 'hidden'], ['Seen', 'visible']),
    expected: rowsOfSheet('Seen'),
  },
  {
    name: 'has a hidden sheet that is configured',
    file,
    build: () => tabs(['Seen', 'visible'], ['Hid', 'hidden']),
    options: { sheet: 'Hid' },
    expected: rowsOfSheet('Hid'),
  },
  {
    name: 'has no sheet of the configured name',
    file,
    build: () => tabs(['Quennell', 'visible']),
    options: { sheet: 'Results' },
    expected: { refused: 'sheet-missing', sentence: /no sheet called "Results"/ },
  },
  {
    name: 'has only hidden sheets',
    file,
    build: () => peopleBook({ workbook: '<sheets><sheet name="Quennell" state="hidden" r:id="s1"/></sheets>' }),
    expected: { refused: 'sheet-missing', sentence: /no visible sheet/ },
  },
  {
    name: 'has its first tab in its second sheet part',
    file,
    build: () =>
      peopleBook({
        workbook: '<sheets><sheet name="B" r:id="b"/><sheet name="A" state="hidden" r:id="s1"/></sheets>',
        relationships: relation('b', 'worksheet', 'worksheets/sheet2.xml'),
        members: [{ name: 'xl/worksheets/sheet2.xml', content: sheetOf(headerRow + inlineRow('second', 'x')) }],
      }),
    expected: rowsOfSheet('second'),
  },
  {
    name: 'has a chart as its first tab',
    file,
    build: () =>
      peopleBook({
        workbook: '<sheets><sheet name="C" r:id="c"/><sheet name="S" r:id="s1"/></sheets>',
        relationships: relation('c', 'chartsheet', 'chart.xml'),
      }),
    expected: both,
  },
  {
    name: 'has its parts under unusual names',
    file,
    build: () => bookWithUnusualNames(sheetOf(peopleRows), plainBook),
    expected: both,
  },
  {
    name: 'has a prefix before every element',
    file,
    build: () =>
      bookWithUnusualNames(
        prefixed(sheetOf(peopleRows)).replace('worksheet', `worksheet ${main}`),
        prefixed(plainBook.replace('r:id', 'q:id')).replace('workbook', `workbook ${main} xmlns:q="u"`),
      ),
    expected: both,
  },
  {
    name: 'has a part in UTF-16',
    file,
    build: () =>
      peopleBook({
        sheet: Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${sheetOf(peopleRows)}`, 'utf16le'),
      }),
    expected: both,
  },
  { name: 'has cells without references', file, build: peopleBook, expected: both },
  {
    name: 'has cells in some positions only',
    file,
    build: () => {
      const cell = (place: string, text: string) => `<c r="${place}" t="str"><v>${text}</v></c>`
      const [a, b] = header as [string, string]
      const rows = `<row r="3">${cell('A3', a)}${cell('C3', b)}</row><row r="4"/><row r="9">${cell('C9', 'x')}</row><row><c><v>1</v></c></row>`
      return peopleBook({ rows: rows.replace('<c r="C3"', `${cell('B3', 'Note')}<c r="C3"`) })
    },
    expected: {
      header: ['Name', 'Note', 'Mail'],
      rows: [
        ['', '', 'x'],
        ['1', '', ''],
      ],
    },
  },
  {
    name: 'has a header merged over two columns',
    file,
    build: () =>
      peopleBook({
        sheet: `<worksheet><sheetData>${inlineRow('Name', '', 'Mail')}${inlineRow('Zoë', 'Quennell', 'x')}</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>`,
      }),
    expected: { refused: 'header-empty', sentence: /Column B has no name in row 1/ },
  },
  {
    name: 'has hidden rows, as a filter leaves them',
    file,
    build: () => peopleBook({ rows: peopleRows.replace(/<row>(?!.*<row>)/, '<row hidden="1">') }),
    expected: { ...both, notices: [/hidden row/] },
  },
  {
    name: 'has a title above its header',
    file,
    build: () => peopleBook({ rows: inlineRow('Results') + peopleRows }),
    expected: {
      header: ['Results'],
      rows: [header, zoe, ake],
      problems: { 2: 'ragged-row', 3: 'ragged-row', 4: 'ragged-row' },
    },
  },
  {
    name: 'has only a header',
    file,
    build: () => peopleBook({ rows: headerRow }),
    expected: { header, rows: [], notices: [/no rows/] },
  },
  {
    name: 'has an empty sheet',
    file,
    build: () => peopleBook({ rows: '' }),
    expected: { refused: 'header-missing', sentence: /no filled row/ },
  },
  {
    name: 'has only styled cells and blanks',
    file,
    build: () => peopleBook({ rows: '<row><c s="1"/><c t="str"><v> </v></c></row>', styles }),
    expected: { refused: 'header-missing', sentence: /no filled row/ },
  },
  {
    name: 'has cells beyond its header, empty and filled',
    file,
    build: () =>
      peopleBook({
        rows: `${headerRow}<row><c><v>1</v></c><c r="XFD2" s="1"/></row>${inlineRow('a', 'b', 'Quennell')}`,
        styles,
      }),
    expected: {
      header,
      rows: [
        ['1', ''],
        ['a', 'b', 'Quennell'],
      ],
      problems: { 3: 'ragged-row' },
    },
  },
  {
    name: 'has short rows, as workbooks do',
    file,
    build: () => peopleBook({ rows: `${headerRow}${inlineRow('a')}` }),
    expected: { header, rows: [['a', '']] },
  },
  {
    name: 'has ten thousand rows of distinct shared strings',
    file,
    build: () => {
      const strings = Array.from({ length: 10_000 }, (_, n) => `<si><t>Quennell 李😀 ${n}</t></si>`).join('')
      const rows = Array.from({ length: 10_000 }, (_, n) => `<row><c t="s"><v>${n}</v></c></row>`).join('')
      return peopleBook({ sharedStrings: strings, rows: headerRow + rows })
    },
    expected: { header, rows: Array.from({ length: 10_000 }, (_, n) => [`Quennell 李😀 ${n}`, '']) },
  },
]
