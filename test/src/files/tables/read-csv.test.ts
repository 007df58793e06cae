// What is read from CSV files as people and programs write them, and which files are refused.

import { describe, expect, test } from 'vitest'
import { readRefusal, readSource } from '#test/support/read-source.ts'

describe('the delimiter of a CSV', () => {
  test('is the character that occurs equally often in each row, not a character that occurs within cells', async () => {
    const read = await readSource('Person, full;Points;"Town, street"\nMeyer, Anna;1,5;"Ulm; Gasse, 1"\nWu;2,5;Bonn\n')
    expect(read.cells).toEqual([
      ['Meyer, Anna', '1,5', 'Ulm; Gasse, 1'],
      ['Wu', '2,5', 'Bonn'],
    ])
  })

  test('is not a character within quotation marks, even if it occurs equally often', async () => {
    const read = await readSource('"Last, first";Note\n"Meyer, Anna";x\n')
    expect(read.header).toEqual(['Last, first', 'Note'])
  })
})

test('the rows of a CSV have the numbers of a spreadsheet program: blank rows count, and quoted line breaks do not', async () => {
  const read = await readSource('\nA,B\n\n1,"x\ny\nz"\n,\n  \n2,b\n')
  expect(read.rows.map((row) => row.row)).toEqual([4, 7])
  // A first line that only announces the separator has no number.
  expect((await readSource('sep=;\r\nName;Note\r\nAnna;x\r\n')).rows).toEqual([{ row: 2, cells: ['Anna', 'x'] }])
})

describe('a bad row of a CSV', () => {
  test('that is inside quotation marks as a whole is described as such', async () => {
    const [row] = (await readSource('A;B\n"1;2"\n')).rows
    expect(row?.problem?.sentence).toContain('Remove the marks around the row.')
  })

  test('is described by its column, never by its content', async () => {
    const read = await readSource('A,B\n1,Secret\0Name\n')
    expect(read.rows[0]?.problem?.sentence).toContain('Column B')
    expect(read.rows[0]?.problem?.sentence).not.toContain('Secret')
  })
})

describe('a CSV file', () => {
  test('is refused with the number of the row whose quotation mark is never closed', async () => {
    const refusal = await readRefusal('A,B\n1,2\n\n"x,4\n5,6\n')
    expect(refusal.code).toBe('quote-not-closed')
    expect(refusal.sentence).toContain('row 4 ')
  })

  test('is refused with the number of the row that is too long', async () => {
    const refusal = await readRefusal(`A,B\n1,2\n"${'x,y\n'.repeat(50_000)}"\n`)
    expect(refusal.code).toBe('record-too-long')
    expect(refusal.sentence).toContain('Row 3 ')
    expect(refusal.message).not.toContain('x,y')
  })

  test('is named in its refusal without its folders', async () => {
    const refusal = await readRefusal('A,A\n')
    expect(refusal.file).toBe('results.dat')
    expect(refusal.message).toBe(`results.dat: ${refusal.sentence}`)
  })
})
