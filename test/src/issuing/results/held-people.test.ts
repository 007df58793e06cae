// The people in a braked run of completions, as the operator who decides about it sees them.

import { expect, test } from 'vitest'
import { heldCells, heldHeader, heldPeopleLines } from '#src/issuing/results/held-people.ts'
import type { HeldPerson } from '#src/ledger/runs/rows-from-elsewhere.ts'

const held = (number: number, heldAs: HeldPerson['heldAs'], cells: HeldPerson['cells'] = {}): HeldPerson => ({
  ...{ row: number, learner: String(number), heldAs, cells },
})

test('people to whom a credential would be issued come first, then known ones, then invalid ones', () => {
  const lines = heldPeopleLines([held(1, 'invalid'), held(2, 'known'), held(3, 'issue'), held(4, 'issue')])
  expect(lines.map((line) => line.trim())).toEqual([
    'would be issued: learner 3',
    'would be issued: learner 4',
    'known already: learner 2',
    'invalid, not issued: learner 1',
  ])
})

test.each<[Record<string, string>, string]>([
  [
    { idnumber: 'S-7', firstname: 'Ada', lastname: 'King', email: 'ada@x.org', completed: '2026-03-01' },
    'learner 5, S-7, Ada King, ada@x.org, completed 2026-03-01',
  ],
  [{ name: 'Ada King', firstname: 'A' }, 'learner 5, Ada King'],
  [{ lastname: 'King', completed: '' }, 'learner 5, King'],
])('a person with %j is shown as %s', (cells, words) => {
  expect(heldPeopleLines([held(5, 'issue', cells)])[0]).toBe(`    would be issued: ${words}`)
})

test('twenty people are shown, and the others are counted', () => {
  const people = (count: number) => Array.from({ length: count }, (_, at) => held(at, 'issue'))
  expect(heldPeopleLines(people(20))).toHaveLength(20)
  expect(heldPeopleLines(people(20)).at(-1)).toMatch(/learner 19$/)
  const lines = heldPeopleLines(people(25))
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toMatch(/^ {4}and 5 more; .*\.waiting\.csv/)
})

test('the file has the decision, then every column that any person fills, once', () => {
  const people = [held(1, 'issue', { a: '1', b: '2' }), held(2, 'known', { b: '3', c: '4' })]
  const header = heldHeader(people)
  expect(header).toEqual(['if approved', 'a', 'b', 'c'])
  expect(people.map((each) => heldCells(each, header))).toEqual([
    ['would be issued', '1', '2', ''],
    ['known already', '', '3', '4'],
  ])
})
