// What is shown of a first row that is not a row of column names.

import { expect, test } from 'vitest'
import { describeFirstRow, looksLikePerson } from '#src/domain/recipient/describe-first-row.ts'

test.each(['ada@x.org', 'R-123', 'no 123', '1.2.1990', '31 / 12', '12 -3', '3. 4'])(
  '%j may be of a person',
  (title) => {
    expect(looksLikePerson(['Name', title])).toBe(true)
    expect(describeFirstRow(['Name', title])).not.toMatch(/Name|[\d@]/)
  },
)

test.each(['Name', 'Address 2', 'Line 12', 'E-Mail', '1. Name', 'No. 1'])('%j is a column name', (title) => {
  expect(looksLikePerson([title])).toBe(false)
})

test('up to forty names are shown, and the others are counted', () => {
  const titles = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`)
  expect(describeFirstRow(titles(2))).toContain('It holds: “c0”, “c1”. ')
  expect(describeFirstRow(titles(40))).toContain('“c39”. ')
  expect(describeFirstRow(titles(42))).toContain('“c39” and 2 more. ')
})

test('a long name is cut after sixty letters', () => {
  expect(describeFirstRow(['😀'.repeat(60)])).toContain(`“${'😀'.repeat(60)}”`)
  expect(describeFirstRow(['😀'.repeat(61)])).toContain(`“${'😀'.repeat(60)}…”`)
})
