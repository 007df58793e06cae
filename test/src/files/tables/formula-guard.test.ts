// Cells that a spreadsheet would run as formulas, in the CSV as it was written or split at semicolons.

import { expect, test } from 'vitest'
import { guardFormula, unguardFormula } from '#src/files/tables/formula-guard.ts'

test.each([
  ['=1+1', "'=1+1"],
  ["'=1+1", "''=1+1"],
  ['Ada;=1+1', "Ada;'=1+1"],
  ['a;"=1+1;', 'a;"\'=1+1;'],
  ['x\r\n=1+1\ny', "x\r\n'=1+1\ny"],
  ['Ada; Byron', 'Ada; Byron'],
  ['Smith-Jones, A+', 'Smith-Jones, A+'],
  ['', ''],
])('%j is written as %j, and read back', (cell, written) => {
  expect(guardFormula(cell)).toBe(written)
  expect(unguardFormula(written)).toBe(cell)
})

test('any mixture of the characters that matter is read back', () => {
  const characters = ['=', "'", ';', '"', '\n', '\r', 'a']
  for (let n = 0; n < 7 ** 5; n++) {
    const cell = Array.from({ length: 5 }, (_, at) => characters[Math.floor(n / 7 ** at) % 7]).join('')
    expect(unguardFormula(guardFormula(cell))).toBe(cell)
  }
})
