// When something was completed: every way to write it that is understood, and those that are not guessed at.

import { expect, test } from 'vitest'
import { readInstant, type WrittenInstant } from '#src/events/event-instant.ts'

const arrived = new Date('2026-11-21T12:00:00Z')

test.each<[unknown, WrittenInstant, string]>([
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
])('%j as %s is %s', (value, format, expected) => {
  expect(readInstant(value, format, arrived)?.toISOString()).toBe(expected)
})

test.each<[string, unknown, WrittenInstant]>([
  ['milliseconds read as seconds', 1795219377000, 'epoch-seconds'],
  ['seconds read as milliseconds', 1795219377, 'epoch-ms'],
  ['the day after tomorrow', '2026-11-23T12:00:00Z', 'iso'],
  ['a day that there is not', '2026-02-30', 'iso'],
  ['an hour that there is not', '2026-02-03T25:00:00Z', 'iso'],
  ['a day in the order of some country', '11/21/2026', 'iso'],
  ['a number where a text should be', 1795219377, 'iso'],
  ['a text where a number should be', '2026-11-21', 'epoch-seconds'],
  ['a time before the moon', -5, 'epoch-seconds'],
  ['words', 'Saturday, 21 November 2026, 12:02 AM', 'iso'],
  ['nothing', null, 'iso'],
  ['a group', {}, 'epoch-ms'],
])('%s is no time', (_, value, format) => {
  expect(readInstant(value, format, arrived)).toBeNull()
})
