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

  test.each([
    ['Africa/Cairo', '30 0', '2026-04-23T12:00:00Z', '2026-04-23T22:30'],
    ['Asia/Beirut', '0 0', '2026-03-28T12:00:00Z', '2026-03-28T22:00'],
    ['America/Santiago', '15 0', '2026-09-05T12:00:00Z', '2026-09-06T04:15'],
    // Half an hour later, like the clocks.
    ['Australia/Lord_Howe', '15 2', '2026-10-03T12:00:00Z', '2026-10-03T15:45'],
    // 01:00 is not skipped, and comes before the skipped 00:45.
    ['Africa/Cairo', '0,45 0,1', '2026-04-23T12:00:00Z', '2026-04-23T22:00'],
  ])('in %s is due at %s although clocks skip that time', (zone, time, after, due) => {
    expect(times(`${time} * * *`, zone, after, 1)).toEqual([due])
  })

  test('is due at every time that clocks skip, in the order of the moments', () => {
    expect(times('0,45 0,1 * * *', 'Africa/Cairo', '2026-04-23T12:00:00Z', 4)).toEqual([
      ...['2026-04-23T22:00', '2026-04-23T22:45', '2026-04-24T21:00', '2026-04-24T21:45'],
    ])
    expect(times('45 0 * * 5', 'Africa/Cairo', '2026-04-23T22:00:00Z', 1)).toEqual(['2026-04-23T22:45'])
  })

  test('that is due in every hour is also due in the hour that comes twice, and in no hour that is skipped', () => {
    expect(times('30 * * * *', 'Europe/Berlin', '2026-10-24T23:40:00Z', 3)).toEqual([
      ...['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-25T02:30'],
    ])
    expect(times('30 * * * *', 'Europe/Berlin', '2026-03-28T23:40:00Z', 3)).toEqual([
      ...['2026-03-29T00:30', '2026-03-29T01:30', '2026-03-29T02:30'],
    ])
    // Only some hours: the second 02:30 is the same time of day.
    expect(times('30 1-3 * * *', 'Europe/Berlin', '2026-10-24T23:40:00Z', 2)).toEqual([
      ...['2026-10-25T00:30', '2026-10-25T02:30'],
    ])
  })

  test.each([
    ['Africa/Cairo', '2026-04-24', '2026-10-30'],
    ['America/Havana', '2026-03-08', '2026-11-01'],
    ['America/Santiago', '2026-09-06', '2026-04-05'],
    ['Asia/Beirut', '2026-03-29', '2026-10-25'],
    ['Atlantic/Azores', '2026-03-29', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
    ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ])('in %s is due once a day over the fortnights in which the clocks change', (timeZone, ...changes) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    for (const change of changes)
      for (const time of ['00:00', '00:30', '01:45', '02:15', '06:00', '23:30']) {
        const [hour, minute] = time.split(':').map(Number)
        const first = Date.parse(`${change}T12:00:00Z`) - 8 * 86_400_000
        const due = times(`${minute} ${hour} * * *`, timeZone, new Date(first).toISOString(), 14)
        const local = due.map((at) => format.format(new Date(`${at}Z`)).split(' '))
        const days = local.map(([day]) => Date.parse(`${day}T00:00:00Z`) / 86_400_000)
        expect(days).toEqual(days.map((_, index) => (days[0] ?? 0) + index))
        expect(local.filter(([, at]) => at !== time).length).toBeLessThanOrEqual(1)
      }
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
  expect(parseSchedule('0 2 * * *', 'Europe/Berln')).toBeNull()
  expect(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Europe/Berln', ''].map(isTimeZone)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})
