// Every cell of the sample files is unchanged after it was written by a table writer and read again.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unguardFormula } from '#src/files/tables/formula-guard.ts'
import { openTableWriter } from '#src/files/tables/table-writer.ts'
import { unescapeText } from '#src/files/tables/xlsx/text-collector.ts'
import { xlsxCell } from '#src/files/tables/xlsx-table.ts'
import { readInPlace } from '#test/support/read-source.ts'
import { cases } from './cases.ts'

const extraCells = [
  ...['', ' ', ' a ', '\ta', 'a\t', '\n', '\r', '\r\n', 'a\n', '\na', 'a\rb', 'a\r\nb', 'a\u2028b', '\ufeffa'],
  ...['a\u200b', '"', '""', '"a"', '"a"b', 'a"b', '"a\nb"c', "'", "'a", "'=a", '=1+1', '+49', '-1', '@a', '＝1'],
  ...'sep=; , ; | _x0041_ _x005F_ _x005F_x0041_ _x &amp; <b> ]]> <![CDATA[ &#10; 00815 1.23E+11 TRUE'.split(' '),
  ...['1990-01-01', '😀', '👩‍👩‍👧', 'e\u0301', 'é', 'ﬀ', '\ud83d', 'Zo\x07ë', '\ufffe', '\u202ea', '0', '#N/A'],
  'x'.repeat(32_767),
]
const sampleCells = cases.flatMap(({ expected }) => ('rows' in expected ? expected.rows.slice(0, 40).flat() : []))
const cells = [...new Set([...sampleCells, ...extraCells])]

async function writeAndRead(format: 'csv' | 'xlsx'): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-round-'))
  try {
    const path = join(folder, `table.${format}`)
    const writer = await openTableWriter(path, { format, header: ['First', 'Cell', 'Last'] })
    // The empty cell and the blank cell have filled cells beside them, so that no row is completely blank.
    for (const cell of cells) await writer.write(['a', cell, 'z'])
    await writer.close()
    await using source = await readInPlace(path)
    const readCells: string[] = []
    for await (const batch of source.batches()) {
      for (const row of batch) {
        expect([row.cells[0], row.cells[2], row.cells.length]).toEqual(['a', 'z', 3])
        readCells.push(row.cells[1] as string)
      }
    }
    return readCells
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('every cell of the sample files reads back unchanged', () => {
  test('as CSV, except for the guard against formulas, which is removed, and unpaired surrogates, which have no bytes', async () => {
    expect((await writeAndRead('csv')).map(unguardFormula)).toEqual(cells.map((cell) => cell.toWellFormed()))
  })

  test('as XLSX, except for what XML cannot represent', async () => {
    expect(await writeAndRead('xlsx')).toEqual(cells.map((cell) => unescapeText(xlsxCell(cell))))
  })

  test('and there are more than two hundred cells', () => expect(cells.length).toBeGreaterThan(200))
})
