// Who is meant by a list.

import { expect, test } from 'vitest'
import { namesColumn, planWhere } from '#src/domain/recipient/who-is-meant.ts'

const where = { Passed: ['true', 'Yes ', '1'], ' Paid ': ['x', ''], Status: ['any'] }
const open = () => planWhere(where, ['Passed', 'Paid'])
const rulesOf = (cells: string[], kinds?: string[]) => {
  const found = open().violationOf({ row: 2, cells, ...(kinds && { kinds }) })
  return found && (found as { rule: string }).rule
}

test.each([['TRUE'], [' yes\u00a0'], ['1'], ['="1"']])(
  'a row is meant if it has a value that counts, such as %j',
  (passed) => {
    expect([rulesOf([passed, 'X']), rulesOf([passed])]).toEqual([null, null])
  },
)

test('a number counts as the sheet shows it, and as it is stored', () => {
  expect(rulesOf(['1.00', ''], ['number:1', 'empty'])).toBeNull()
  expect(rulesOf(['1', ''], ['number:1.00', 'empty'])).toBeNull()
  expect(rulesOf(['100%', ''], ['number:1', 'empty'])).toBeNull()
  expect(rulesOf(['2.00', ''], ['number:2', 'empty'])).toBe('where')
})

test.each<[string, string | undefined, string]>([
  ['FALSE', undefined, 'where'],
  ['', undefined, 'where'],
  ['#N/A', undefined, 'error_cell'],
  ['TRUE!', 'error', 'error_cell'],
  ['=IF(A1>5,"yes")', undefined, 'formula'],
])('%j of the kind %s breaks the rule %s', (passed, kind, rule) => {
  expect(rulesOf([passed, 'x'], kind ? [kind, 'text'] : undefined)).toBe(rule)
})

test('a row says which column does not have which values, and nothing of its own value', () => {
  expect(open().violationOf({ row: 2, cells: ['yes', 'ada@example.org'] })).toMatchObject({
    sentence: 'not meant: “Paid” is not x or empty',
    value: '',
  })
})

test('a note counts the values that left rows out, and names no person', () => {
  const plan = open()
  expect(plan.notices()).toEqual([])
  for (const cells of [['no'], ['no'], [''], ['1', 'ada@example.org'], ['yes', 'x']])
    plan.violationOf({ row: 2, cells })
  expect(plan.notices()).toEqual([
    'Rows that are not meant: 2 (“Passed” is no), 1 (“Passed” is empty), 1 (“Paid” is a…@e….org).',
  ])
  for (let value = 0; value < 30; value++) plan.violationOf({ row: 2, cells: [`v${'x'.repeat(value)}`] })
  expect(plan.notices()[0]).toMatch(/21 \(another value\)/)
})

test('a file without the column is a fault that names the likely one, but no data', () => {
  const fault = (titles: string[]) => planWhere({ Passed: ['1'] }, titles).faults
  expect(fault(['Pased'])).toEqual([
    'There is no column “Passed”, by which where decides who is meant. Did you mean “Pased”?',
  ])
  expect(fault(['Passed1@x'])).toEqual([
    'There is no column “Passed”, by which where decides who is meant. Check the column names, and the spelling under where.',
  ])
  expect(planWhere({ Passed: ['any'] }, []).faults).toEqual([])
})

test('a column that the setting names is used, whichever values count', () => {
  expect(['Paid', 'Status', 'paid'].map((title) => namesColumn(where, title))).toEqual([true, true, false])
})
