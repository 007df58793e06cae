// Parses the time of a completion: every supported format, and values that are rejected rather than guessed.

import { expect, test } from 'vitest'
import { type EventTimeFormat, readInstant } from '#src/extensions/lms/webhooks/event-time.ts'

const arrivedAt = new Date('2026-11-21T12:00:00Z')

test.each<[unknown, EventTimeFormat, string]>([
  ['2026-11-21T00:02:57.000Z', 'iso', '2026-11-21T00:02:57.000Z'],
  ['2026-11-21T00:02:57+00:00', 'iso', '2026-11-21T00:02:57.000Z'],
  ['2026-11-20T19:02:57-0500', 'iso', '2026-11-21T00:02:57.000Z'],
  ['2026-11-21 01:02:57+01', 'iso', '2026-11-21T00:02:57.000Z'],
  ['2023-01-31 20:24:32.598387', 'iso', '2023-01-31T20:24:32.598Z'],
  ['2026-11-21 00:02', 'iso', '2026-11-21T00:02:00.000Z'],
  [' 2026-11-21 ', 'iso', '2026-11-21T00:00:00.000Z'],
  [1795219377, 'epoch-seconds', '2026-11-21T00:02:57.000Z'],
  ['1795219377', 'epoch-seconds', '2026-11-21T00:02:57.000Z'],
  [1795219377.25, 'epoch-seconds', '2026-11-21T00:02:57.250Z'],
  [1795219377000, 'epoch-ms', '2026-11-21T00:02:57.000Z'],
  ['2026-11-22T11:59:59Z', 'iso', '2026-11-22T11:59:59.000Z'],
  ['2026-11-21T00:02:57z', 'iso', '2026-11-21T00:02:57.000Z'],
  [' 1795219377 ', 'epoch-seconds', '2026-11-21T00:02:57.000Z'],
])('%j as %s is %s', (value, format, expected) => {
  expect(readInstant(value, format, arrivedAt)?.toISOString()).toBe(expected)
})

test.each<[string, unknown, EventTimeFormat]>([
  ['milliseconds read as seconds', 1795219377000, 'epoch-seconds'],
  ['seconds read as milliseconds', 1795219377, 'epoch-ms'],
  ['the day after tomorrow', '2026-11-23T12:00:00Z', 'iso'],
  ['a nonexistent date', '2026-02-30', 'iso'],
  ['a nonexistent hour', '2026-02-03T25:00:00Z', 'iso'],
  ['a date in a national format', '11/21/2026', 'iso'],
  ['a number instead of a string', 1795219377, 'iso'],
  ['a string instead of a number', '2026-11-21', 'epoch-seconds'],
  ['a negative timestamp', -5, 'epoch-seconds'],
  ['a timestamp with a sign', '+1795219377', 'epoch-seconds'],
  ['a timestamp with an exponent', '1795219e3', 'epoch-seconds'],
  ['something before a time', 'x2026-11-21T00:02:57Z', 'iso'],
  ['something behind a time', '2026-11-21T00:02:57Zx', 'iso'],
  ['a date in words', 'Saturday, 21 November 2026, 12:02 AM', 'iso'],
  ['null', null, 'iso'],
  ['an object', {}, 'epoch-ms'],
])('%s is not a time', (_, value, format) => {
  expect(readInstant(value, format, arrivedAt)).toBeNull()
})

test('a time without a zone is UTC on a machine in any zone', () => {
  const zone = process.env.TZ
  process.env.TZ = 'Asia/Tokyo'
  try {
    expect(readInstant('2026-11-21 00:02', 'iso', arrivedAt)?.toISOString()).toBe('2026-11-21T00:02:00.000Z')
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})
