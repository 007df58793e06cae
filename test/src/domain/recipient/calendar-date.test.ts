// Which days exist, and which text is an ISO date.

import { expect, test } from 'vitest'
import { calendarDate, readIsoDate } from '#src/domain/recipient/calendar-date.ts'

test.each<[number, number, number, string | null]>([
  [1, 1, 1, '0001-01-01'],
  [9999, 12, 31, '9999-12-31'],
  [0, 1, 1, null],
  [10_000, 1, 1, null],
  [2026, 1, 0, null],
  [2026, 1, 31, '2026-01-31'],
  [2026, 1, 32, null],
  [2026, 6, 30, '2026-06-30'],
  [2026, 6, 31, null],
  [2026, 9, 31, null],
  [2026, 11, 31, null],
  [2100, 2, 29, null],
  [2400, 2, 29, '2400-02-29'],
])('year %i, month %i, day %i is %j', (year, month, day, text) => {
  expect(calendarDate(year, month, day)).toBe(text)
})

test.each<[string, ReturnType<typeof readIsoDate>]>([
  ['2026-03-01', { date: '2026-03-01' }],
  ['2026-03-01T00:00+00:00', { date: '2026-03-01' }],
  ['2026-03-01T00:00+0000', { date: '2026-03-01' }],
  ['2026-03-01T00:00:00.000000000Z', { date: '2026-03-01' }],
  ['on 2026-03-01', { fault: 'shape' }],
  ['2026-03-01 at noon', { fault: 'shape' }],
  ['2026-03-01T00:00+01:00', { fault: 'shape' }],
  ['2026-03-01T00:00:01', { fault: 'time' }],
  ['2026-02-30', { fault: 'no_such_day' }],
])('%j is read as %j', (text, reading) => {
  expect(readIsoDate(text)).toEqual(reading)
})
