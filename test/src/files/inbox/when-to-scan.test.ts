// When a scan of an inbox is due, according to the record of the last scan.

import { describe, expect, test } from 'vitest'
import { dueScan, initialLastDueAt } from '#src/files/inbox/when-to-scan.ts'
import { parseSchedule, type Schedule } from '#src/platform/time/schedule.ts'

const nightly = parseSchedule('0 2 * * *', 'Europe/Berlin') as Schedule
const everyFiveMinutes = parseSchedule('5m', 'UTC') as Schedule
const at = (text: string) => new Date(`2026-11-${text}:00Z`)
const scanRecord = (last: string, again: string | null = null) => ({
  lastDueAt: at(last),
  againAt: again ? at(again) : null,
})

describe('a daily scan', () => {
  // 02:00 in Berlin is 01:00 in winter.
  test('is due at its time, and not before', () => {
    expect(dueScan(nightly, scanRecord('20T01:00'), at('21T00:59'))).toBeNull()
    expect(dueScan(nightly, scanRecord('20T01:00'), at('21T01:00'))).toEqual({
      coveredDueAt: at('21T01:00'),
      missed: null,
    })
    expect(dueScan(nightly, scanRecord('21T01:00'), at('21T01:01'))).toBeNull()
  })

  test('counts as missed if it is more than five minutes late', () => {
    expect(dueScan(nightly, scanRecord('20T01:00'), at('21T01:05'))?.missed).toBeNull()
    expect(dueScan(nightly, scanRecord('20T01:00'), at('21T06:31'))).toEqual({
      coveredDueAt: at('21T01:00'),
      missed: { at: at('21T01:00'), count: 1 },
    })
  })

  test('is made up for once after several missed days', () => {
    const due = dueScan(nightly, scanRecord('10T01:00'), at('14T06:00'))
    expect(due).toEqual({ coveredDueAt: at('14T01:00'), missed: { at: at('11T01:00'), count: 4 } })
    expect(dueScan(nightly, { lastDueAt: due?.coveredDueAt as Date, againAt: null }, at('14T06:00'))).toBeNull()
  })

  test('is made up for once even if too many were missed to count', () => {
    const minutely = parseSchedule('* * * * *', 'UTC') as Schedule
    const due = dueScan(minutely, scanRecord('01T00:00'), at('21T00:00'))
    expect(due?.missed?.count).toBe(1_000)
    expect(dueScan(minutely, { lastDueAt: due?.coveredDueAt as Date, againAt: null }, at('21T00:00'))).toBeNull()
  })

  test('is repeated for unfinished files for one hour, and not during the rest of the day', () => {
    const unfinished = scanRecord('21T01:00', '21T01:30')
    expect(dueScan(nightly, unfinished, at('21T01:29'))).toBeNull()
    expect(dueScan(nightly, unfinished, at('21T01:30'))).toEqual({ coveredDueAt: at('21T01:00'), missed: null })
    expect(dueScan(nightly, scanRecord('21T01:00', '21T02:10'), at('21T02:10'))).toBeNull()
  })

  test('is due in the night in which clocks skip its time', () => {
    const cairo = parseSchedule('30 0 * * *', 'Africa/Cairo') as Schedule
    const yesterday = { lastDueAt: new Date('2026-04-22T22:30:00Z'), againAt: null }
    expect(dueScan(cairo, yesterday, new Date('2026-04-23T22:29:00Z'))).toBeNull()
    expect(dueScan(cairo, yesterday, new Date('2026-04-23T22:30:00Z'))).toEqual({
      ...{ coveredDueAt: new Date('2026-04-23T22:30:00Z'), missed: null },
    })
  })

  test('is first due at the first time after the inbox was configured', () => {
    const first = { lastDueAt: initialLastDueAt(nightly, at('21T12:00')), againAt: null }
    expect(dueScan(nightly, first, at('21T12:00'))).toBeNull()
    expect(dueScan(nightly, first, at('22T01:00'))?.missed).toBeNull()
  })
})

describe('a scan at intervals', () => {
  test('is due immediately, then one interval after the last scan, and never counts as missed', () => {
    const first = { lastDueAt: initialLastDueAt(everyFiveMinutes, at('21T12:00')), againAt: null }
    expect(dueScan(everyFiveMinutes, first, at('21T12:00'))).toEqual({ coveredDueAt: at('21T12:00'), missed: null })
    expect(dueScan(everyFiveMinutes, scanRecord('21T12:00'), at('21T12:04'))).toBeNull()
    expect(dueScan(everyFiveMinutes, scanRecord('21T12:00'), at('23T12:00'))).toEqual({
      coveredDueAt: at('23T12:00'),
      missed: null,
    })
  })

  test('is due earlier if a file was not ready', () => {
    const unfinished = scanRecord('21T12:00', '21T12:01')
    expect(dueScan(everyFiveMinutes, unfinished, at('21T12:00'))).toBeNull()
    expect(dueScan(everyFiveMinutes, unfinished, at('21T12:01'))).toEqual({
      coveredDueAt: at('21T12:00'),
      missed: null,
    })
  })
})
