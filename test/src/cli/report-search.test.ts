// The search that `credsync report` makes from a range of days: both ends are always sent.

import { expect, test } from 'vitest'
import { reportSearch } from '#src/cli/report-search.ts'

const now = new Date('2026-12-31T23:30:00Z')

test.each([
  ['2026-03-01..2026-03-31', { start: '2026-03-01', end: '2026-03-31' }],
  ['2026-03-01', { start: '2026-03-01', end: '2026-03-01' }],
  ['..2026-03-31', { start: '2000-01-01', end: '2026-03-31' }],
  // The service may be in a time zone where it is tomorrow already.
  ['2026-03-01..', { start: '2026-03-01', end: '2027-01-01' }],
])('the days %s are sent as %j', (text, range) => {
  expect(reportSearch({ requested: text }, now).date_range).toEqual(range)
  expect(reportSearch({ issued: text }, now).issue_date).toEqual(range)
})
