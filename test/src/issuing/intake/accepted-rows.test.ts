// Remembering which rows of a workbook were accepted.

import { expect, test } from 'vitest'
import { openAcceptedRows } from '#src/issuing/intake/file-check.ts'

/** Adds the rows in this order. Returns the accepted ones of them and their neighbours, in ascending order. */
function acceptedOf(added: readonly number[]): number[] {
  const accepted = openAcceptedRows()
  for (const row of added) accepted.add(row)
  const asked = added.flatMap((row) => [-1_024, -16, -8, -7, -1, 0, 1, 7, 8, 16, 1_024].map((step) => row + step))
  return [...new Set(asked)].filter((row) => row > 0 && accepted.has(row)).sort((a, b) => a - b)
}

test.each<[string, number[]]>([
  ['rows of one byte, and the first of the next', [2, 3, 7, 8]],
  ['the last row of the first block, and the first beyond it', [8_191, 8_192]],
  ['the first row beyond the first block', [8_192]],
  ['a row far beyond the first block, after a gap', [2, 100_000, 100_001]],
  ['the last row of the longest sheet', [1_048_576]],
])('exactly the rows that were added are accepted: %s', (_, rows) => {
  expect(acceptedOf(rows)).toEqual(rows)
})

test('a row may be added again, and later rows do not change earlier ones', () => {
  expect(acceptedOf([20_000, 3, 8_200, 3])).toEqual([3, 8_200, 20_000])
})

test('without rows, none is accepted', () => {
  const accepted = openAcceptedRows()
  expect([0, 1, 8_192, 1_048_576].filter(accepted.has)).toEqual([])
})
