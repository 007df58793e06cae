// Merged cells below the header: in which columns they leave rows without a value, and where that matters.

import { describe, expect, test } from 'vitest'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { openSource } from '#src/files/tables/open-source.ts'
import { gatherMerged } from '#src/files/tables/xlsx/merged-columns.ts'
import { refuseMergedCells } from '#src/issuing/intake/file-check.ts'
import { aField } from '#test/src/domain/recipient/fields.ts'
import { withFile } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

/** Returns the columns that are found in a sheet with these filled rows and merged ranges. */
function findMerged(rows: number[], ...ranges: string[]) {
  const gathered = gatherMerged(512)
  for (const row of rows) gathered.addRow(row)
  for (const range of ranges) gathered.addRange(range)
  return gathered.list().map(({ column, range }) => `${column} ${range}`)
}

describe('merged cells', () => {
  test.each<[string, number[], string[], string[]]>([
    ['over the rows of one column', [1, 2, 3, 4], ['D2:D4'], ['3 D2:D4']],
    ['over the columns of one row, of which the first keeps its value', [1, 2], ['B2:D2'], ['2 B2:D2', '3 B2:D2']],
    ['over both', [1, 2, 3], ['B2:C3'], ['1 B2:C3', '2 B2:C3']],
    ['written with dollar signs', [1, 2, 3], ['$D$2:$D$3'], ['3 D2:D3']],
    ['twice in one column, of which the first is reported', [1, 2, 3, 4, 5], ['D2:D3', 'D4:D5'], ['3 D2:D3']],
    ['only in the header', [3, 4], ['A3:C3'], []],
    ['above the header', [3, 4], ['A1:C2'], []],
    ['from the header into a row', [1, 2, 3], ['A1:A2'], ['0 A1:A2']],
    ['over two rows for each person, of which the second is empty', [1, 2, 4, 6], ['A2:A3', 'B4:B5', 'C6:C7'], []],
    ['below the last row', [1, 2], ['A3:C9'], []],
    ['of a single cell, or written wrongly', [1, 2], ['A2', '', 'A2:', 'A2:A2'], []],
    ['beyond the columns that are read', [1, 2, 3], ['AAA2:AAA3'], []],
    ['in an empty sheet', [], ['A1:A9'], []],
  ])('%s', (_, rows, ranges, expected) => {
    expect(findMerged(rows, ...ranges)).toEqual(expected)
  })

  test('in more single rows than a footer has are reported up to a limit', () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => index + 1)
    const ranges = rows.map((row) => `A${row}:B${row}`)
    expect(findMerged(rows, ...ranges).length).toBe(2_001)
  })

  test('are found among many rows', () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => 2 * index + 1)
    expect(findMerged(rows, 'A4000:A4000', 'B4000:B4001', 'C4001:C4002')).toEqual(['1 B4000:B4001'])
  })
})

describe('a workbook with merged cells', () => {
  const rows = [
    ['Email', 'Notes', 'Program End Date'],
    ['a@example.org', 'x', '2026-01-01'],
    ['b@example.org', '', ''],
  ]
  const inner = `<sheetData>${rows.map((row) => inlineRow(...row)).join('')}</sheetData>`
  const book = (range: string, prefix = '') => {
    const sheet = `<worksheet>${inner}<mergeCells count="1"><mergeCell ref="${range}"/></mergeCells></worksheet>`
    const prefixed = prefix === '' ? sheet : sheet.replace(/<(\/?)(\w)/g, `<$1${prefix}:$2`)
    return writeWorkbook({ sheet: prefixed.replace(/<(\S*worksheet)>/, `<$1 xmlns${prefix && `:${prefix}`}="urn:m">`) })
  }
  const read = (bytes: Buffer, ...takenRows: number[]) =>
    withFile(bytes, async (path) => {
      await using source = await openSource(path)
      let count = 0
      for await (const batch of source.batches()) count += batch.length
      const { plan } = planColumns(source.header, {}, [aField('Email'), aField('Program End Date')])
      return {
        count,
        merged: source.merged,
        refuse: () => refuseMergedCells(source, plan, { has: (row) => takenRows.includes(row) }),
      }
    })

  test.each(['', 'x'])(
    'is refused with their position if they cover a column that fills a field (%j)',
    async (prefix) => {
      const { count, merged, refuse } = await read(book('C2:C3', prefix))
      expect(count).toBe(2)
      expect(merged).toEqual([{ column: 2, range: 'C2:C3' }])
      expect(refuse).toThrow(/The cells C2:C3 of the sheet are merged.*column C\. Unmerge them, and write the value/)
    },
  )

  test('is accepted if they cover a column that fills nothing', async () => {
    const { merged, refuse } = await read(book('B2:B3'))
    expect(merged).toEqual([{ column: 1, range: 'B2:B3' }])
    expect(refuse).not.toThrow()
  })

  test('is accepted if they are in an invalid row, such as a line of totals', async () => {
    const { merged, refuse } = await read(book('A3:C3'), 2)
    expect(merged).toEqual([
      { column: 1, range: 'A3:C3', row: 3 },
      { column: 2, range: 'A3:C3', row: 3 },
    ])
    expect(refuse).not.toThrow()
    expect((await read(book('A3:C3'), 2, 3)).refuse).toThrow(/The cells A3:C3 of the sheet are merged/)
  })
})
