// What is wrong with the rows of a run, in lines for the person who submitted it.

import { expect, test } from 'vitest'
import { problemLines } from '#src/issuing/results/run-summary.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'

const problem = (more: Partial<RunProblem> = {}): RunProblem => ({
  ...{ field: 'Email', rule: 'required', rows: 1, examples: [7], value: null },
  ...more,
})
const first = (more: Partial<RunProblem>) => problemLines([problem(more)])[0]

test.each<[Partial<RunProblem>, RegExp]>([
  [{ rows: 1, examples: [7] }, /^ {2}1 row: .*; row 7$/],
  [{ rows: 2, examples: [7, 9] }, /^ {2}2 rows: .*; rows 7 and 9$/],
  [{ rows: 3, examples: [7, 9, 12] }, /; rows 7, 9 and 12$/],
  [{ rows: 9, examples: [7, 9, 12] }, /^ {2}9 rows: .*; e\.g\. rows 7, 9 and 12$/],
  [{ value: 'A**' }, /; row 7 \(A\*\*\)$/],
  [{ rule: 'date', value: '99.99.9999', rows: 2, examples: [7, 9] }, /; rows 7 \(written like 99\.99\.9999\) and 9$/],
])('%j', (more, line) => {
  expect(first(more)).toMatch(line)
})

test('each kind is followed by its remedy', () => {
  const lines = problemLines([problem({ rule: 'quotation_mark' })])
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^ {4}→ \S/)
  expect(problemLines([problem({ rule: 'a_rule_without_advice' })])).toEqual([
    '  1 row: “Email” breaks the rule a rule without advice; row 7',
  ])
})

test('the remedy is for a file, or for the learning system that the rows come from', () => {
  const ofText = problem({ rule: 'unique' })
  expect(problemLines([ofText])[1]).toMatch(/→ Correct the row that has the wrong value/)
  expect(problemLines([ofText], 'learning system')[1]).toMatch(/→ In the learning system, correct the value/)
})

test('ten kinds are described, and the others are counted', () => {
  const kinds = (count: number) => problemLines(Array.from({ length: count }, (_, at) => problem({ field: `F${at}` })))
  const shown = (lines: string[]) => lines.filter((line) => line.includes('“F')).length
  expect(shown(kinds(10))).toBe(10)
  expect(kinds(10).at(-1)).not.toMatch(/more kind/)
  expect(shown(kinds(12))).toBe(10)
  expect(kinds(11).at(-1)).toBe('  and 1 more kind of problem')
  expect(kinds(12).at(-1)).toBe('  and 2 more kinds of problem')
})

test('without problems there are no lines', () => {
  expect(problemLines([])).toEqual([])
})
