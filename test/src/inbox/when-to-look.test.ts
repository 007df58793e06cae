// When an inbox is due, from the memory of its last look.

import { describe, expect, test } from 'vitest'
import { dueLook, firstMemory } from '#src/inbox/when-to-look.ts'
import { parseSchedule, type Schedule } from '#src/time/schedule.ts'

const nightly = parseSchedule('0 2 * * *', 'Europe/Berlin') as Schedule
const often = parseSchedule('5m', 'UTC') as Schedule
const at = (text: string) => new Date(`2026-11-${text}:00Z`)
const memory = (last: string, again: string | null = null) => ({
  lastDueAt: at(last),
  againAt: again ? at(again) : null,
})

describe('a nightly look', () => {
  // 02:00 in Berlin is 01:00 in winter.
  test('is due when its time has come, and not before', () => {
    expect(dueLook(nightly, memory('20T01:00'), at('21T00:59'))).toBeNull()
    expect(dueLook(nightly, memory('20T01:00'), at('21T01:00'))).toEqual({ answers: at('21T01:00'), missed: null })
    expect(dueLook(nightly, memory('21T01:00'), at('21T01:01'))).toBeNull()
  })

  test('is missed when nobody looked for more than five minutes', () => {
    expect(dueLook(nightly, memory('20T01:00'), at('21T01:05'))?.missed).toBeNull()
    expect(dueLook(nightly, memory('20T01:00'), at('21T06:31'))).toEqual({
      answers: at('21T01:00'),
      missed: { at: at('21T01:00'), count: 1 },
    })
  })

  test('is caught up once for several nights', () => {
    const due = dueLook(nightly, memory('10T01:00'), at('14T06:00'))
    expect(due).toEqual({ answers: at('14T01:00'), missed: { at: at('11T01:00'), count: 4 } })
    expect(dueLook(nightly, { lastDueAt: due?.answers as Date, againAt: null }, at('14T06:00'))).toBeNull()
  })

  test('is caught up once also when more was missed than is counted', () => {
    const minutely = parseSchedule('* * * * *', 'UTC') as Schedule
    const due = dueLook(minutely, memory('01T00:00'), at('21T00:00'))
    expect(due?.missed?.count).toBe(1_000)
    expect(dueLook(minutely, { lastDueAt: due?.answers as Date, againAt: null }, at('21T00:00'))).toBeNull()
  })

  test('follows what was being written, for an hour and not into the day', () => {
    const following = memory('21T01:00', '21T01:30')
    expect(dueLook(nightly, following, at('21T01:29'))).toBeNull()
    expect(dueLook(nightly, following, at('21T01:30'))).toEqual({ answers: at('21T01:00'), missed: null })
    expect(dueLook(nightly, memory('21T01:00', '21T02:10'), at('21T02:10'))).toBeNull()
  })

  test('begins with the first time after it was configured', () => {
    const first = { lastDueAt: firstMemory(nightly, at('21T12:00')), againAt: null }
    expect(dueLook(nightly, first, at('21T12:00'))).toBeNull()
    expect(dueLook(nightly, first, at('22T01:00'))?.missed).toBeNull()
  })
})

describe('a look every so often', () => {
  test('is due at once, then a span after the last, and is never missed', () => {
    const first = { lastDueAt: firstMemory(often, at('21T12:00')), againAt: null }
    expect(dueLook(often, first, at('21T12:00'))).toEqual({ answers: at('21T12:00'), missed: null })
    expect(dueLook(often, memory('21T12:00'), at('21T12:04'))).toBeNull()
    expect(dueLook(often, memory('21T12:00'), at('23T12:00'))).toEqual({ answers: at('23T12:00'), missed: null })
  })

  test('comes earlier where something was not ready', () => {
    expect(dueLook(often, memory('21T12:00', '21T12:01'), at('21T12:01'))).not.toBeNull()
  })
})
