// Tables that are written to files: completely or not at all, safe to open in a spreadsheet program, and readable
// again.

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import exceljs from 'exceljs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { guardFormula, unguardFormula } from '#src/files/tables/formula-guard.ts'
import { openTableWriter, TableWriteError } from '#src/files/tables/table-writer.ts'
import { xlsxCell } from '#src/files/tables/xlsx-table.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'table-writer-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Format = 'csv' | 'xlsx'
const formats: Format[] = ['csv', 'xlsx']

async function writeTable(path: string, format: Format, rows: string[][]) {
  const [header = [], ...body] = rows
  const writer = await openTableWriter(path, { format, header })
  for (const row of body) await writer.write(row)
  await writer.close()
}

async function readCsv(path: string): Promise<string[][]> {
  return parse(await readFile(path), { bom: true, relax_column_count: true, skip_empty_lines: true })
}

async function readXlsx(path: string): Promise<string[][]> {
  const book = new exceljs.Workbook()
  await book.xlsx.readFile(path)
  const rows: string[][] = []
  book.worksheets[0]?.eachRow((row) => {
    rows.push(Array.from((row.values as unknown[]).slice(1), (value) => (value === undefined ? '' : (value as string))))
  })
  return rows
}

const plain = [
  ['name', 'note', 'phone'],
  ['Jürgen Müller', 'says "hi", twice', '0049 151'],
  ['山田 太郎 😀', 'line one\nline two', '  spaces  '],
  ["O'Neil; R&D <b>x</b>", '', "'quoted'"],
]

describe('a table', () => {
  test.each([',', ';', '\t', '|'])('reads back from CSV with the separator %j', async (separator) => {
    const path = join(folder, 'a.csv')
    const [header = [], ...body] = [...plain, ['a;b', 'c\td', 'e|f,g']]
    const writer = await openTableWriter(path, { format: 'csv', separator, header })
    for (const row of body) await writer.write(row)
    await writer.close()
    const bytes = await readFile(path)
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from('\ufeff'))
    expect(parse(bytes, { bom: true, delimiter: separator })).toEqual([header, ...body])
  })

  test('reads back from XLSX as it was written', async () => {
    await writeTable(join(folder, 'a.xlsx'), 'xlsx', plain)
    expect(await readXlsx(join(folder, 'a.xlsx'))).toEqual(plain)
  })

  test('is UTF-8 with a byte order mark and CRLF in CSV', async () => {
    await writeTable(join(folder, 'a.csv'), 'csv', [['ä'], ['b']])
    expect(await readFile(join(folder, 'a.csv'))).toEqual(Buffer.from('\uFEFFä\r\nb\r\n'))
  })

  test('keeps rows whose only cell is empty in CSV', async () => {
    await writeTable(join(folder, 'a.csv'), 'csv', [['a'], [''], ['b']])
    expect(await readCsv(join(folder, 'a.csv'))).toEqual([['a'], [''], ['b']])
  })

  test.each(formats)('may consist of only a header in %s', async (format) => {
    const path = join(folder, 'a')
    await writeTable(path, format, [['one', 'two']])
    expect(await (format === 'csv' ? readCsv : readXlsx)(path)).toEqual([['one', 'two']])
  })

  test.each(formats)('of 10,000 rows is written completely in %s', async (format) => {
    const rows = Array.from({ length: 10_001 }, (_, n) => [`row ${n}`, `héllo ${n * 7}`, 'x'.repeat(200)])
    const path = join(folder, 'a')
    await writeTable(path, format, rows)
    expect(await (format === 'csv' ? readCsv : readXlsx)(path)).toEqual(rows)
  })
})

describe('hostile cells', () => {
  const triggers = ['=1+1', '+49 1', '-x', '@SUM(A1)', '\tx', '\rx', '\nx', '\0x', '＝1', '＋1', '－1', '＠x']

  test.each(triggers)('such as %j get an apostrophe in CSV, even in the header', async (cell) => {
    const path = join(folder, 'a.csv')
    await writeTable(path, 'csv', [[cell], [cell]])
    expect(await readCsv(path)).toEqual([[`'${cell}`], [`'${cell}`]])
  })

  test.each(['a=1', 'x+1', '1-2', 'a@b.org', "'", "O'=", ''])(
    'get an apostrophe, but %j is harmless and unchanged',
    (cell) => {
      expect(guardFormula(cell)).toBe(cell)
    },
  )

  test('are read back exactly, even if they already had an apostrophe', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^'{0,3}[=+@-]?[a-z]?$/))
    fc.assert(fc.property(text, (cell) => unguardFormula(guardFormula(cell)) === cell))
  })

  test('are plain string cells in XLSX', async () => {
    const cells = ['=1+1', '+49 151', '-x', '@SUM(A1)', '＝1', "'=1", 'https://example.org', '0012', '1.23E+11']
    const path = join(folder, 'a.xlsx')
    await writeTable(path, 'xlsx', [cells])
    expect(await readXlsx(path)).toEqual([cells])
  })

  test('with characters that XML forbids do not make the workbook unreadable', async () => {
    const path = join(folder, 'a.xlsx')
    await writeTable(path, 'xlsx', [['a\0b\u0001c\u000Bd\u001Fe\uFFFEf\uFFFFg\uD800h', 'x\r\ny\rz']])
    expect(await readXlsx(path)).toEqual([['abcdefg\uFFFDh', 'x\ny\nz']])
  })

  test.each([
    ['x'.repeat(32_767), 'x'.repeat(32_767)],
    ['x'.repeat(40_000), 'x'.repeat(32_767)],
    [`${'x'.repeat(32_766)}😀`, 'x'.repeat(32_766)],
    ['_x000D_ and _x00', '_x005F_x000D_ and _x00'],
  ])('in XLSX are cut to a cell’s maximum and never read as an escape (%#)', (cell, kept) => {
    expect(xlsxCell(cell)).toBe(kept)
  })
})

describe.each(formats)('a %s file', (format) => {
  test('does not have its final name before it is complete', async () => {
    const path = join(folder, 'a')
    const writer = await openTableWriter(path, { format, header: ['a'] })
    await writer.write(['1'])
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^a\.[0-9a-f]{8}\.part$/)])
    await writer.close()
    expect(await readdir(folder)).toEqual(['a'])
  })

  test('is readable by its owner only', async () => {
    const path = join(folder, 'a')
    await writeTable(path, format, [['a']])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('is deleted after abort, and the previous file is unchanged', async () => {
    const path = join(folder, 'a')
    await writeFile(path, 'before')
    const writer = await openTableWriter(path, { format, header: ['a'] })
    for (let n = 0; n < 1_000; n++) await writer.write([`${n}`.repeat(50)])
    await writer.abort()
    await writer.abort()
    expect(await readdir(folder)).toEqual(['a'])
    expect(await readFile(path, 'utf8')).toBe('before')
    await expect(writer.write(['1'])).rejects.toThrow(/aborted/)
    await expect(writer.close()).rejects.toThrow(TableWriteError)
  })

  test('replaces an older file, which stays readable for those who have it open', async () => {
    const path = join(folder, 'a')
    await writeFile(path, 'before')
    const writer = await openTableWriter(path, { format, header: ['a'] })
    expect(await readFile(path, 'utf8')).toBe('before')
    await writer.close()
    expect((await (format === 'csv' ? readCsv : readXlsx)(path))[0]).toEqual(['a'])
  })

  test('is not affected by abort after close', async () => {
    const path = join(folder, 'a')
    const writer = await openTableWriter(path, { format, header: ['a'] })
    await writer.close()
    await writer.abort()
    expect(await readdir(folder)).toEqual(['a'])
    await expect(writer.write(['1'])).rejects.toThrow(/closed/)
  })

  test('in a missing folder fails with the reason instead of waiting forever', async () => {
    const open = async () => {
      const writer = await openTableWriter(join(folder, 'nowhere', 'a'), { format, header: ['a'] })
      await writer.close()
    }
    await expect(open()).rejects.toThrow(/could not be written \(ENOENT\)/)
  })

  test('that cannot be renamed fails with the reason and leaves nothing behind', async () => {
    const path = join(folder, 'a')
    const writer = await openTableWriter(path, { format, header: ['a'] })
    for (const part of await readdir(folder)) await rm(join(folder, part))
    await expect(writer.close()).rejects.toThrow(TableWriteError)
    expect(await readdir(folder)).toEqual([])
  })

  test('replaces a folder, which is moved aside with its content', async () => {
    const path = join(folder, 'a')
    await mkdir(join(path, 'content'), { recursive: true })
    await writeTable(path, format, [['a'], ['1']])
    const [table, moved = ''] = (await readdir(folder)).sort()
    expect([table, moved.replace(/[0-9a-f]{8}/, 'X')]).toEqual(['a', 'a.X.old'])
    expect(await readdir(join(folder, moved))).toEqual(['content'])
    expect((await stat(path)).isFile()).toBe(true)
  })

  test('refuses a row of another width without quoting it, and continues', async () => {
    const path = join(folder, 'a')
    const writer = await openTableWriter(path, { format, header: ['a', 'b'] })
    const refusal = await writer.write(['secret']).catch((error: Error) => error)
    expect(String(refusal)).toMatch(/1 cells, its header 2/)
    expect(String(refusal)).not.toContain('secret')
    await writer.write(['1', '2'])
    await writer.close()
    expect(await (format === 'csv' ? readCsv : readXlsx)(path)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })
})

test('a table without columns is refused', async () => {
  await expect(openTableWriter(join(folder, 'a'), { format: 'csv', header: [] })).rejects.toThrow(TableWriteError)
})
