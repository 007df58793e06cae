// The results of a workbook keep dates, numbers and booleans with their formats, and no text becomes a formula.

import { readFile } from 'node:fs/promises'
import exceljs from 'exceljs'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { writeBack } from '#jobs/write-back.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { readSource } from '#test/support/read-source.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { writeWorkbook } from '#test/support/written-workbook.ts'

type Cells = [name: string, cell: string][]

/** The formats of the cells below. The style of a cell is the index of its format in this list. */
const formats: (number | string)[] = [
  0,
  14,
  'dd.mm.yyyy',
  'dd.mm.yyyy hh:mm',
  '00000',
  '0.0%',
  '#,##0.00 "€"',
  22,
  '[h]:mm',
  'd/m/yy',
  '[Red]-#,##0;"<&>"0',
  10,
  20,
  '[$-407]d. mmmm yyyy',
  'x'.repeat(300),
]
const number = (value: string, format: number | string = 0) => `<c s="${formats.indexOf(format)}"><v>${value}</v></c>`
const typedCells: Cells = [
  ['Born', number('10', 'dd.mm.yyyy')],
  ['First', number('25578', 'dd.mm.yyyy')],
  ['Short', number('45352', 14)],
  ['Phantom', number('60', 'dd.mm.yyyy')],
  ['Before', number('59', 14)],
  ['Moment', number('45352.123456789', 'dd.mm.yyyy hh:mm')],
  ['Both', number('45352.5', 22)],
  ['Time', number('0.75', 20)],
  ['Span', number('1.0625', '[h]:mm')],
  ['Unclear', number('45359', 'd/m/yy')],
  ['Worded', number('45352', '[$-407]d. mmmm yyyy')],
  ['Padded', number('123', '00000')],
  ['Share', number('0.1', '0.0%')],
  ['Rate', number('0.3333333333333333', 10)],
  ['Fee', number('1234.5', '#,##0.00 "€"')],
  ['Less', number('-7', '[Red]-#,##0;"<&>"0')],
  ['Exact', number('19.989999999999998')],
  ['Large', number('1.5E300')],
  ['Whole', number('42')],
  ['True', '<c t="b"><v>1</v></c>'],
  ['False', '<c t="b"><v>0</v></c>'],
]
const textCells: Cells = [
  ['Sum', '<c><f>HYPERLINK("x")</f><v>7</v></c>'],
  ['Text', '<c t="inlineStr"><is><t>=1+1</t></is></c>'],
  ['Digits', '<c t="inlineStr"><is><t>00123</t></is></c>'],
  ['Wrong', '<c t="e"><v>#N/A</v></c>'],
  ['Odd', number('5', 'x'.repeat(300))],
]

function source(date1904: boolean, columns: Cells): Buffer {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const people = ['ada', 'bea', 'not an address'].map((name) => (name.includes(' ') ? name : `${name}@example.org`))
  const rows = people.map((email) => `<row>${text(email)}${text('Ada')}${text('Lovelace')}${cellsOf(columns)}</row>`)
  const header = ['e_mail', 'First Name', 'Last Name', ...columns.map(([name]) => name)]
  const ids = formats.map((format, index) => (typeof format === 'number' ? format : 164 + index))
  const codes = formats.flatMap((format, index) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${164 + index}" formatCode="${escaped(format)}"/>`] : [],
  )
  return writeWorkbook({
    workbook: `<workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets><sheet name="Only" sheetId="1" r:id="s1"/></sheets>`,
    styles: `<numFmts>${codes.join('')}</numFmts><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`,
    rows: `<row>${header.map(text).join('')}</row>${rows.join('')}`,
  })
}

const cellsOf = (columns: Cells) => columns.map(([, cell]) => cell).join('')
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

async function resultsOf(world: World, bytes: Buffer): Promise<string> {
  const runId = await world.receive('list.xlsx', bytes)
  await intake(world.app, { runId })
  await world.app.ledger.writeBacks.want(runId)
  await writeBack(world.app, { runId })
  const run = await world.app.ledger.runs.find(runId)
  expect([run?.rows, run?.accepted, run?.invalid]).toEqual([3, 2, 1])
  return run?.resultsPath as string
}

/**
 * Returns the values and formats of each row's cells under `names`, as exceljs reads the workbook, with dates as day
 * numbers.
 */
async function cellsIn(file: string, names: readonly string[]) {
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.readFile(file)
  const sheet = workbook.worksheets[0] as exceljs.Worksheet
  const header = (sheet.getRow(1).values as string[]).slice(1)
  return [2, 3, 4].map((row) =>
    names.map((name) => {
      const { value, numFmt } = sheet.getRow(row).getCell(header.indexOf(name) + 1)
      return [name, value instanceof Date ? dayNumber(value) : value, numFmt]
    }),
  )
}

const dayNumber = (date: Date) => date.getTime() / 86_400_000 + 25_569
const namesOf = (cells: Cells) => cells.map(([name]) => name)

/** The names that exceljs gives to the built-in formats. */
const builtIn: Record<number, string | undefined> = { 10: '0.00%', 14: 'mm-dd-yy', 20: 'h:mm', 22: 'm/d/yy "h":mm' }

/** Returns name, value and format of the cell, read from its XML. */
const expectedOf = ([name, cell]: Cells[number]) => {
  const value = Number(/<v>(.*)<\/v>/.exec(cell)?.[1])
  if (cell.includes('t="b"')) return [name, value === 1, undefined]
  const format = formats[Number(/s="(\d+)"/.exec(cell)?.[1])]
  const known = typeof format === 'number' ? builtIn[format] : format
  const isDate = /[dmyhs]/.test((known ?? '').replace(/"[^"]*"|\[(?!h)[^\]]*\]/g, ''))
  return [name, isDate ? dayNumber(new Date(Math.round((value - 25_569) * 86_400_000))) : value, known]
}

describeWithDatabase('the results of a workbook', () => {
  test('keep numbers, dates and booleans with their formats, and everything else as text', async () => {
    await using world = await openWorld()
    const bytes = source(false, [...typedCells, ...textCells])
    const results = await resultsOf(world, bytes)
    for (const row of await cellsIn(results, namesOf(typedCells))) expect(row).toEqual(typedCells.map(expectedOf))
    for (const row of await cellsIn(results, namesOf(textCells)))
      expect(row.map(([, value]) => value)).toEqual(['7', '=1+1', '00123', '#N/A', '5'])
    // Our reader finds the same kinds and values in both workbooks, except where text replaced the value.
    const [theirs, ours] = [await readSource(bytes), await readSource(await readFile(results))]
    const width = 3 + typedCells.length
    const comparable = (read: typeof ours) =>
      read.rows.map(({ cells, kinds, raw }) => ({
        cells: cells.slice(0, width),
        kinds: kinds?.slice(0, width),
        raw: JSON.parse(raw ?? '[]').filter(([column]: [number]) => column < width),
      }))
    expect(comparable(ours)).toEqual(comparable(theirs))
  })

  test('show the same days if the workbook counts from 1904', async () => {
    await using world = await openWorld()
    const columns = typedCells.filter(([name]) => name !== 'Phantom' && name !== 'Before')
    const bytes = source(true, columns)
    const results = await readSource(await readFile(await resultsOf(world, bytes)))
    const cellsToCompare = (read: typeof results) => read.rows.map(({ cells }) => cells.slice(0, 3 + columns.length))
    const span = 3 + namesOf(columns).indexOf('Span')
    const withoutSpan = (rows: string[][]) => rows.map((cells) => cells.filter((_, index) => index !== span))
    expect(withoutSpan(cellsToCompare(results))).toEqual(withoutSpan(cellsToCompare(await readSource(bytes))))
    // A duration has no date, so its number is shown.
    expect(JSON.parse(results.rows[0]?.raw as string)).toContainEqual([span, 1.0625, '[h]:mm'])
  })
})
