// What is read from CSV files as people and programs write them, and which files are refused.

import { describe, expect, test } from 'vitest'
import { readRefusal, readSource } from '#test/support/read-source.ts'

const names = [
  ['Zoë', 'Müller'],
  ['Åsa', 'Größe'],
]
const namesCsv = 'First,Last\r\nZoë,Müller\r\nÅsa,Größe\r\n'

describe('the encoding of a CSV', () => {
  const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()
  test.each([
    ['UTF-8', Buffer.from(namesCsv)],
    ['UTF-8 with a mark', Buffer.concat([byteOrderMark, Buffer.from(namesCsv)])],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${namesCsv}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(namesCsv, 'utf16le')],
    ['big-endian UTF-16 with a mark', bigEndian(`\ufeff${namesCsv}`)],
    ['big-endian UTF-16 without a mark', bigEndian(namesCsv)],
  ])('is recognized as %s', async (_, bytes) => {
    const read = await readSource(bytes)
    expect(read.header).toEqual(['First', 'Last'])
    expect(read.cells).toEqual(names)
    expect(read.notices).toEqual([])
  })

  test('is the declared one if there is one', async () => {
    const read = await readSource(Buffer.from('Name\n\xe6\n', 'latin1'), { encoding: 'iso-8859-2' })
    expect(read.cells).toEqual([['ć']])
    expect(read.notices).toEqual([])
  })

  test.each([
    ['Windows-1252 and not declared', Buffer.from(namesCsv, 'latin1'), undefined],
    ['declared wrongly', Buffer.from(namesCsv, 'latin1'), 'utf-8'],
    ['declared with an unknown name', Buffer.from(namesCsv), 'klingon'],
    ['UTF-8 with one damaged letter', Buffer.concat([Buffer.from(namesCsv), Buffer.from([0xff, 0x0a])]), undefined],
    ['UTF-8 that ends inside a letter', Buffer.from(`${namesCsv}é`).subarray(0, -1), undefined],
    ['UTF-16 with an odd number of bytes', Buffer.from(`\ufeff${namesCsv}`, 'utf16le').subarray(0, -1), undefined],
  ])('is refused if the file is %s', async (_, bytes, encoding) => {
    expect((await readRefusal(bytes, { encoding })).code).toBe('encoding')
  })
})

describe('the delimiter of a CSV', () => {
  test.each([
    ['a comma', 'Name,Note\nAnna,x\n'],
    ['a semicolon', 'Name;Note\nAnna;x\n'],
    ['a semicolon among commas', '"Name";Note\n"Anna";"x"\n'],
    ['a tab', 'Name\tNote\nAnna\tx\n'],
    ['a bar', 'Name|Note\nAnna|x'],
    ['announced in a first line that has no row number', 'sep=;\r\nName;Note\r\nAnna;x\r\n'],
  ])('is recognized as %s', async (_, text) => {
    const read = await readSource(text)
    expect(read.header).toEqual(['Name', 'Note'])
    expect(read.rows).toEqual([{ row: 2, cells: ['Anna', 'x'] }])
  })

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

  test('is the configured one if there is one', async () => {
    const read = await readSource('A~B,C\n1~2,3\n', { delimiter: '~' })
    expect(read.cells).toEqual([['1', '2,3']])
    expect((await readRefusal('A,B\n', { delimiter: '""' })).code).toBe('delimiter')
  })

  test('is not needed for a single column', async () => {
    expect((await readSource('Name\nAnna\n\nEva\n')).cells).toEqual([['Anna'], ['Eva']])
  })
})

describe('the cells of a CSV', () => {
  test.each<[string, string, string[][]]>([
    ['quoted delimiters and line ends', 'A,B\n"x, y","one\ntwo\r\nthree"\n', [['x, y', 'one\ntwo\r\nthree']]],
    ['doubled quotation marks', 'A,B\n"say ""hi""",2\n', [['say "hi"', '2']]],
    ['quotation marks inside plain text', 'A,B\n5" nail,2\n', [['5" nail', '2']]],
    [
      'leading zeros, plus signs and long numbers',
      'A,B\n00815,+4930123\n1234567890123456789,1E5\n',
      [
        ['00815', '+4930123'],
        ['1234567890123456789', '1E5'],
      ],
    ],
    ['names that are also properties of objects', '__proto__,constructor\n1,2\n', [['1', '2']]],
    ['no line end at the end', 'A,B\n1,2', [['1', '2']]],
    [
      'empty cells at the end of a row',
      'A,B\n1,\n,2\n',
      [
        ['1', ''],
        ['', '2'],
      ],
    ],
    [
      'unnamed empty columns at the end',
      'A,B,,\n1,2,,\n3,4\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
  ])('keep %s', async (_, text, cells) => {
    const read = await readSource(text)
    expect(read.cells).toEqual(cells)
    expect(read.rows.filter((row) => row.problem)).toEqual([])
  })

  test('are split into rows even if the file mixes three line endings', async () => {
    const read = await readSource('A,B\r\n1,2\n3,4\r5,6\r\n')
    expect(read.cells).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
  })

  test('have the row numbers of a spreadsheet program, where blank rows count and quoted line breaks do not', async () => {
    const read = await readSource('\nA,B\n\n1,"x\ny\nz"\n,\n  \n2,b\n')
    expect(read.rows.map((row) => row.row)).toEqual([4, 7])
  })
})

describe('a bad row of a CSV', () => {
  test.each([
    ['too few cells', '1\n', 'ragged-row', ['1', '']],
    ['too many cells', '1,2,3\n', 'ragged-row', ['1', '2', '3']],
    ['a NUL', 'a\0b,2\n', 'invalid-characters', ['a\ufffdb', '2']],
    ['a letter that was lost in an earlier export', 'M\ufffdller,2\n', 'lost-characters', ['M\ufffdller', '2']],
    ['a cell that is too long', `${'x'.repeat(40_000)},2\n`, 'cell-too-long', ['x'.repeat(32_767), '2']],
  ])('with %s is returned with its problem, and the other rows are unchanged', async (_, line, rule, cells) => {
    const read = await readSource(`A,B\nv,w\n${line}y,z 😀\n`)
    expect(read.rows).toEqual([
      { row: 2, cells: ['v', 'w'] },
      { row: 3, cells, problem: { rule, sentence: expect.any(String) } },
      { row: 4, cells: ['y', 'z 😀'] },
    ])
  })

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
  test('with only a header has no rows, and a notice about that', async () => {
    const read = await readSource('A,B\n\n')
    expect(read.rows).toEqual([])
    expect(read.notices).toEqual(['The file has a header and no rows below it.'])
  })

  test.each([
    ['is empty', '', 'empty'],
    ['contains only blank lines', '\n\n , \n', 'header-missing'],
    ['begins with a person', 'Anna,anna@example.org\nEva,eva@example.org\n', 'header-missing'],
    ['has two columns of the same name', 'Name,Mail,name \n1,2,3\n', 'header-duplicate'],
    ['has an unnamed column', 'Name,,Mail\n1,2,3\n', 'header-empty'],
    ['has a NUL in a column name', 'Na\0me,B\n1,2\n', 'header-characters'],
    ['has too many columns', `${Array.from({ length: 513 }, (_, index) => `c${index}`).join()}\n`, 'limit'],
    ['is a PDF', '%PDF-1.7\n1,2', 'not-a-table'],
    ['is a web page', '\ufeff\n<!DOCTYPE html><table>', 'not-a-table'],
    ['is an old workbook', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'old-or-protected-workbook'],
    ['is a binary file', Buffer.from([...Array(300).keys()].map((n) => (n * 7) % 256)), 'not-a-table'],
  ])('is refused when it %s', async (_, bytes, code) => {
    expect((await readRefusal(bytes)).code).toBe(code)
  })

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
