// The times at which a schedule is due, and the strings that are not schedules.

import { describe, expect, test } from 'vitest'
import { isTimeZone, parseSchedule } from '#src/platform/time/schedule.ts'

const times = (line: string, zone: string, after: string, count: number) => {
  const schedule = parseSchedule(line, zone)
  if (!schedule) throw new Error('no schedule')
  let at = new Date(after)
  return Array.from({ length: count }, () => {
    at = schedule.next(at)
    return at.toISOString().slice(0, 16)
  })
}

describe('a schedule', () => {
  test('may be an interval', () => {
    expect(times('5m', 'UTC', '2026-11-21T02:00:00Z', 2)).toEqual(['2026-11-21T02:05', '2026-11-21T02:10'])
    expect(parseSchedule('5m', 'UTC')?.everyMs).toBe(300_000)
  })

  test('may be a cron expression in a time zone with daylight saving time', () => {
    expect(times('0 2 * * *', 'UTC', '2026-11-21T02:00:00Z', 1)).toEqual(['2026-11-22T02:00'])
    expect(times('0 2 * * *', 'Europe/Berlin', '2026-11-21T12:00:00Z', 1)).toEqual(['2026-11-22T01:00'])
    expect(times('0 2 * * *', 'Europe/Berlin', '2026-06-21T12:00:00Z', 1)).toEqual(['2026-06-22T00:00'])
    expect(times('30 7 * * 1-5', 'UTC', '2026-11-20T12:00:00Z', 2)).toEqual(['2026-11-23T07:30', '2026-11-24T07:30'])
  })

  test('is due once on each of the days when the clocks change', () => {
    // 02:30 does not exist on the first of these days, and occurs twice on the second.
    expect(times('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', 2)).toEqual([
      '2027-03-28T01:30',
      '2027-03-29T00:30',
    ])
    expect(times('30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00:00Z', 2)).toEqual([
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ])
  })

  test('returns the right time whichever time it was called with before', () => {
    const schedule = parseSchedule('0 2 * * *', 'UTC')
    const [one, two] = [new Date('2026-11-21T12:00:00Z'), new Date('2026-12-01T12:00:00Z')]
    expect([one, two, one].map((at) => schedule?.next(at).toISOString().slice(0, 10))).toEqual([
      '2026-11-22',
      '2026-12-02',
      '2026-11-22',
    ])
  })

  test.each(['', '0 2', '0 2 * *', '0 0 2 * * *', '61 * * * *', '0 0 31 2 *', '@daily', 'H 2 * * *', 'nightly', '0m'])(
    '%j is not a schedule',
    (text) => {
      expect(parseSchedule(text, 'UTC')).toBeNull()
    },
  )
})

test('the time zone must be known to the platform', () => {
  expect(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Europe/Berln', ''].map(isTimeZone)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})
