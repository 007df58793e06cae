// When a list is missing: over a fortnight with either change of daylight saving, late lists, weekends, and small lists.

import { describe, expect, test } from 'vitest'
import { type CameList, openExpectation } from '#src/extensions/notices/expected-list.ts'
import type { ExpectSettings } from '#src/extensions/notices/settings/expect-settings.ts'

const minuteMs = 60_000
const mornings: Extract<ExpectSettings, { by: string }> = {
  by: '06:00',
  days: 'mon-fri',
  timeZone: 'Europe/Berlin',
  minRows: 1,
}
const longAgo = new Date('2020-01-01T00:00:00Z')

/** The local day and time at which a list begins to be missing, and at which it is no longer. */
function story(
  came: readonly (readonly [at: string, rows?: number])[],
  from: string,
  to: string,
  { since = longAgo, settings = mornings }: { since?: Date; settings?: typeof mornings } = {},
) {
  const expectation = openExpectation(settings, false)
  const lists: CameList[] = came.map(([at, rows = 10]) => ({ at: new Date(at), rows }))
  const local = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: settings.timeZone, weekday: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  })
  const changes: string[] = []
  let wasMissing = false
  for (let at = new Date(from); at <= new Date(to); at = new Date(at.getTime() + 5 * minuteMs)) {
    const known = lists.filter((list) => list.at <= at && list.at >= expectation.from(at))
    const isMissing = expectation.missing(known, since, at) !== null
    if (isMissing !== wasMissing) changes.push(`${local.format(at).replace(',', '')} ${isMissing ? 'missing' : 'came'}`)
    wasMissing = isMissing
  }
  return changes
}

/** Lists of working days, each at this time in Berlin. @param offsets hours from UTC, by day */
const daily = (days: readonly string[], time: string, offset: (day: string) => string) =>
  days.map((day) => [`${day}T${time}:00${offset(day)}`] as const)

const autumn = ['19', '20', '21', '22', '23', '26', '27', '28', '29', '30'].map((day) => `2026-10-${day}`)
const autumnOffset = (day: string) => (day < '2026-10-25' ? '+02:00' : '+01:00')
const spring = ['23', '24', '25', '26', '27', '30', '31'].map((day) => `2026-03-${day}`)
const springOffset = (day: string) => (day < '2026-03-29' ? '+01:00' : '+02:00')

describe('a fortnight', () => {
  test('in which every list comes in time is quiet, also over weekends and the end of summer time', () => {
    const lists = daily(['2026-10-16', ...autumn], '05:55', autumnOffset)
    expect(story(lists, '2026-10-16T04:00:00Z', '2026-11-02T04:55:00Z')).toEqual([])
  })

  test('in which every list comes in time is quiet, also over the beginning of summer time', () => {
    const lists = daily(['2026-03-20', ...spring], '05:55', springOffset)
    expect(story(lists, '2026-03-20T05:00:00Z', '2026-04-01T03:55:00Z')).toEqual([])
  })

  test('shows each list that is missing or late at 06:00 in Berlin, before and after the change', () => {
    const lists = [
      ...daily(['2026-10-16', '2026-10-19', '2026-10-20'], '05:55', autumnOffset),
      // The list of 21 October is late, that of 22 comes in time, and that of 23 not at all.
      ['2026-10-21T08:10:00+02:00'],
      ['2026-10-22T05:55:00+02:00'],
      ...daily(['2026-10-26', '2026-10-27'], '05:55', autumnOffset),
      // The list of 28 October is late, and counts for 29 as well.
      ['2026-10-28T09:00:00+01:00'],
      ...daily(['2026-10-30'], '05:55', autumnOffset),
    ] as const
    expect(story(lists, '2026-10-16T04:00:00Z', '2026-10-31T12:00:00Z')).toEqual([
      'Wed 21 06:00 missing',
      'Wed 21 08:10 came',
      'Fri 23 06:00 missing',
      'Mon 26 05:55 came',
      'Wed 28 06:00 missing',
      'Wed 28 09:00 came',
    ])
  })

  test('shows them at 06:00 in Berlin after the clocks went forward', () => {
    const lists = daily(['2026-03-20', ...spring.filter((day) => day !== '2026-03-30')], '05:55', springOffset)
    expect(story(lists, '2026-03-20T05:00:00Z', '2026-04-01T03:55:00Z')).toEqual([
      'Mon 30 06:00 missing',
      'Tue 31 05:55 came',
    ])
  })
})

/** A list every day at this time in UTC, for a fortnight, except one. */
const daysOf = (first: string, time: string, without: string) =>
  Array.from({ length: 15 }, (_, day) => new Date(Date.parse(`${first}T${time}:00Z`) + day * 86_400_000).toISOString())
    .filter((at) => !at.startsWith(without))
    .map((at) => [at] as const)

describe('a deadline', () => {
  const fortnight = (first: string) =>
    [`${first}T20:00:00Z`, new Date(Date.parse(`${first}T12:00:00Z`) + 14 * 86_400_000).toISOString()] as const

  test.each([
    ['00:30', 'Africa/Cairo', '2026-04-16', '20:00', '2026-04-23', 'Fri 24 01:30'],
    ['00:00', 'Asia/Beirut', '2026-03-21', '20:00', '2026-03-28', 'Sun 29 01:00'],
    ['00:15', 'America/Santiago', '2026-08-29', '20:00', '2026-09-05', 'Sun 6 01:15'],
    ['02:15', 'Australia/Lord_Howe', '2026-09-25', '14:00', '2026-10-03', 'Sun 4 02:45'],
  ])('by %s in %s is one on the day on which clocks skip it, too', (by, timeZone, first, time, without, missing) => {
    const settings = { ...mornings, days: 'mon-sun', timeZone, by }
    expect(story(daysOf(first, time, 'none'), ...fortnight(first), { settings })).toEqual([])
    expect(story(daysOf(first, time, without), ...fortnight(first), { settings })).toEqual([
      `${missing} missing`,
      expect.stringMatching(/ came$/),
    ])
  })

  test.each([
    ['Africa/Cairo', '2026-10-21', '20:00'],
    ['Australia/Lord_Howe', '2026-03-28', '14:00'],
  ])('in %s is met on every day when clocks go back', (timeZone, first, time) => {
    const settings = { ...mornings, days: 'mon-sun', timeZone }
    expect(story(daysOf(first, time, 'none'), ...fortnight(first), { settings })).toEqual([])
  })
})

describe('a list', () => {
  const lastOf = (lists: readonly CameList[], now: string, since = longAgo) =>
    openExpectation(mornings, false).missing(lists, since, new Date(now))

  test('that comes the afternoon before counts for the morning', () => {
    const lists = [['2026-10-19T16:00:00+02:00'], ['2026-10-20T16:00:00+02:00'], ['2026-10-21T16:00:00+02:00']] as const
    expect(story([['2026-10-18T16:00:00+02:00'], ...lists], '2026-10-18T20:00:00Z', '2026-10-22T12:00:00Z')).toEqual([])
  })

  test('with too few rows does not count', () => {
    const missing = lastOf([{ at: new Date('2026-10-20T03:30:00Z'), rows: 0 }], '2026-10-20T04:00:00Z')
    expect(missing?.facts).toMatchObject({ about: 'missing', minRows: 1 })
  })

  test('that is still being read is not missing', () => {
    expect(lastOf([{ at: new Date('2026-10-20T03:30:00Z'), rows: null }], '2026-10-20T04:00:00Z')).toBeNull()
  })

  test('is not missing for a deadline from before the setting was made', () => {
    const since = new Date('2026-10-20T08:00:00Z')
    expect(lastOf([], '2026-10-20T09:00:00Z', since)).toBeNull()
    expect(lastOf([], '2026-10-21T04:00:00Z', since)).toMatchObject({
      since: new Date('2026-10-21T04:00:00Z'),
      facts: { about: 'missing', due: '2026-10-21T04:00:00.000Z' },
    })
    // The first list after the setting was made counts for the next morning, and not for the one before.
    expect(lastOf([{ at: new Date('2026-10-20T09:00:00Z'), rows: 5 }], '2026-10-21T04:00:00Z', since)).toBeNull()
  })

  test('with `within` is missing once nothing has come for that long', () => {
    const expectation = openExpectation({ within: '7d' }, true)
    const last = [{ at: new Date('2026-10-01T12:00:00Z'), rows: null }]
    expect(expectation.missing(last, longAgo, new Date('2026-10-08T11:59:59Z'))).toBeNull()
    const missing = expectation.missing(last, longAgo, new Date('2026-10-08T12:00:00Z'))
    expect(missing?.facts).toMatchObject({ about: 'silent', completions: true, last: '2026-10-01T12:00:00.000Z' })
    const configured = new Date('2026-10-05T00:00:00Z')
    expect(expectation.missing([], configured, new Date('2026-10-11T23:59:59Z'))).toBeNull()
    expect(expectation.missing([], configured, new Date('2026-10-12T00:00:00Z'))?.since).toEqual(
      new Date('2026-10-12T00:00:00Z'),
    )
    // The time counts from the setting, although the last list is older than that.
    expect(expectation.missing(last, configured, new Date('2026-10-11T23:59:59Z'))).toBeNull()
  })
})
