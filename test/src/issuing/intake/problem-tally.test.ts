// Counting what is wrong with the rows of a file.

import { expect, test } from 'vitest'
import { ProblemTally } from '#src/issuing/intake/problem-tally.ts'

const broken = (field: string, rule: string, value = 'A…') => ({ field, rule, value })

test('rows are counted by field and rule, with the first value and the first three rows', () => {
  const tally = new ProblemTally()
  for (const row of [2, 3, 5, 8]) tally.add(row, [broken('Email', 'email', `value of row ${row}`)])
  tally.add(9, [broken('Email', 'required'), broken('Grade', 'email')])
  expect(tally.problems()).toEqual([
    { field: 'Email', rule: 'email', rows: 4, examples: [2, 3, 5], value: 'value of row 2' },
    { field: 'Email', rule: 'required', rows: 1, examples: [9], value: 'A…' },
    { field: 'Grade', rule: 'email', rows: 1, examples: [9], value: 'A…' },
  ])
})

test('a row counts once for each kind, however often it has it', () => {
  const tally = new ProblemTally()
  tally.add(2, [broken('Email', 'email'), broken('Email', 'email', 'B…'), broken('Email', 'text')])
  expect(tally.problems()).toEqual([
    { field: 'Email', rule: 'email', rows: 1, examples: [2], value: 'A…' },
    { field: 'Email', rule: 'text', rows: 1, examples: [2], value: 'A…' },
  ])
})

test.each(['', '(empty)'])('an example without a value has none: %j', (value) => {
  const tally = new ProblemTally()
  tally.add(2, [broken('Email', 'required', value)])
  expect(tally.problems()[0]?.value).toBeNull()
})

test('the most frequent problem comes first, then the one that appears first, then by field and rule', () => {
  const tally = new ProblemTally()
  tally.add(
    2,
    ['b', 'c', 'a', 'e', 'd'].map((rule) => broken('Z', rule)),
  )
  tally.add(2, [broken('Y', 'c'), broken('X', 'd')])
  tally.add(3, [broken('A', 'e')])
  for (const row of [4, 5]) tally.add(row, [broken('Q', 'f')])
  expect(tally.problems().map(({ field, rule }) => field + rule)).toEqual([
    ...['Qf', 'Xd', 'Yc', 'Za', 'Zb', 'Zc', 'Zd', 'Ze', 'Ae'],
  ])
})

test('a kind that was counted elsewhere is added with three of its rows, unless it has none', () => {
  const tally = new ProblemTally()
  tally.add(2, [broken('Email', 'email')])
  tally.addKind({ field: '', rule: 'identity_conflict', rows: 5, examples: [4, 5, 6, 7] })
  tally.addKind({ field: '', rule: 'other_learner', rows: 3, examples: [8] })
  tally.addKind({ field: '', rule: 'person_twice', rows: 0, examples: [] })
  expect(tally.problems()).toEqual([
    { field: '', rule: 'identity_conflict', rows: 5, examples: [4, 5, 6], value: null },
    { field: '', rule: 'other_learner', rows: 3, examples: [8], value: null },
    { field: 'Email', rule: 'email', rows: 1, examples: [2], value: 'A…' },
  ])
})
