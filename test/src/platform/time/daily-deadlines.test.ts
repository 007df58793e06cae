// Times of day on given days of the week, in a time zone.

import { describe, expect, test } from 'vitest'
import { dailyDeadlines, parseDays } from '#src/platform/time/daily-deadlines.ts'

describe('days', () => {
  test.each([
    ['mon-fri', [1, 2, 3, 4, 5]],
    ['sat-mon', [0, 1, 6]],
    ['Mon, wed,FRI', [1, 3, 5]],
    ['sun', [0]],
    ['mon-sun', [0, 1, 2, 3, 4, 5, 6]],
  ])('%s are understood', (text, days) => {
    expect(parseDays(text)).toEqual(days)
  })

  test.each(['', 'monday', 'mon-', 'mon-fri-sun', 'mon;tue', '1-5'])('%j are refused', (text) => {
    expect(parseDays(text)).toBeNull()
  })
})

describe('deadlines', () => {
  const berlin = dailyDeadlines('06:00', 'mon-fri', 'Europe/Berlin')

  test('are those up to now, inclusive, and the next one', () => {
    const { past, next } = berlin.around(new Date('2026-11-23T05:00:00Z'))
    expect(past.at(-1)).toEqual(new Date('2026-11-23T05:00:00Z'))
    expect(past.at(-2)).toEqual(new Date('2026-11-20T05:00:00Z'))
    expect(next).toEqual(new Date('2026-11-24T05:00:00Z'))
  })

  test('follow the clock when the time moves forward, and back', () => {
    expect(berlin.around(new Date('2026-11-24T05:00:00Z')).past.at(-1)).toEqual(new Date('2026-11-24T05:00:00Z'))
    expect(berlin.around(new Date('2026-11-24T04:59:59Z')).past.at(-1)).toEqual(new Date('2026-11-23T05:00:00Z'))
  })

  test.each(['mon', 'mon-fri', 'mon-sun'])('reach back at least four times for %s', (days) => {
    expect(
      dailyDeadlines('23:59', days, 'Pacific/Auckland').around(new Date('2026-03-01T00:00:00Z')).past.length,
    ).toBeGreaterThanOrEqual(4)
  })

  test('stay at the local time across both changes of daylight saving', () => {
    const utcHours = (from: string, to: string) => {
      const deadlines = dailyDeadlines('02:30', 'mon-sun', 'Europe/Berlin')
      const found: string[] = []
      for (let at = new Date(from); at < new Date(to); at = new Date(at.getTime() + 86_400_000))
        found.push(deadlines.around(at).next.toISOString().slice(5, 16))
      return found
    }
    // 02:30 does not exist on 29 March, so it is an hour later; it exists twice on 25 October, and is due once.
    expect(utcHours('2026-03-27T12:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
      '03-28T01:30',
      '03-29T01:30',
      '03-30T00:30',
      '03-31T00:30',
    ])
    expect(utcHours('2026-10-23T12:00:00Z', '2026-10-26T00:00:00Z')).toEqual([
      '10-24T00:30',
      '10-25T00:30',
      '10-26T01:30',
    ])
  })
})
