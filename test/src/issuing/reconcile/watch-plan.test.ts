// Planning which days a pass of the watch reads, so that every day is read in time.

import { expect, test } from 'vitest'
import { dayAfter, daysOfPass, passesPerCycle } from '#src/issuing/reconcile/watch-plan.ts'

const dayMs = 86_400_000
const now = new Date('2026-11-22T02:30:00Z')
const ago = (days: number) => new Date(now.getTime() - days * dayMs)
const pace = { withinMs: 30 * dayMs, periodMs: dayMs }

test('a cycle has two spare passes, and at least one pass', () => {
  expect(passesPerCycle(pace)).toBe(28)
  expect(passesPerCycle({ withinMs: dayMs, periodMs: dayMs })).toBe(1)
})

test('the days that were read longest ago come first, up to a fair share, in ranges', () => {
  const days = ['2026-01-01', '2026-01-02', '2026-01-05', '2026-03-01', '2026-04-01'].map((day, at) => ({
    day,
    issued: 100,
    lookedAt: ago(10 - at),
  }))
  expect(daysOfPass(days, { withinMs: 5 * dayMs, periodMs: dayMs }, ago(8))).toEqual([
    { from: '2026-01-01', to: '2026-01-02' },
  ])
  expect(daysOfPass(days, { withinMs: 4 * dayMs, periodMs: dayMs }, ago(8))).toEqual([
    { from: '2026-01-01', to: '2026-01-05' },
  ])
  expect(daysOfPass(days, { withinMs: 7 * dayMs, periodMs: dayMs }, ago(8))).toEqual([
    { from: '2026-01-01', to: '2026-01-01' },
  ])
  expect(daysOfPass(days, pace, ago(6))).toEqual([{ from: '2026-01-01', to: '2026-01-01' }])
})

test('overdue days are read regardless of the share', () => {
  const days = [
    { day: '2026-01-01', issued: 1_000, lookedAt: ago(29) },
    { day: '2026-05-01', issued: 1_000, lookedAt: ago(28.5) },
    { day: '2026-06-01', issued: 1_000, lookedAt: ago(1) },
  ]
  expect(daysOfPass(days, pace, now)).toEqual([
    { from: '2026-01-01', to: '2026-01-01' },
    { from: '2026-05-01', to: '2026-05-01' },
  ])
})

test('over a year, no day waits longer than configured, even if the load is uneven and two passes in a row are missed', () => {
  const days = Array.from({ length: 300 }, (_, at) => ({
    day: new Date(Date.parse('2025-01-01') + at * dayMs).toISOString().slice(0, 10),
    issued: at % 37 === 0 ? 5_000 : 1 + ((at * 7_919) % 50),
    lookedAt: now,
  }))
  let longest = 0
  for (let night = 1; night <= 365; night++) {
    const at = new Date(now.getTime() + night * dayMs)
    if (night % 40 < 2) continue
    const ranges = daysOfPass(days, pace, at)
    for (const one of days) {
      if (!ranges.some(({ from, to }) => from <= one.day && one.day <= to)) continue
      longest = Math.max(longest, at.getTime() - one.lookedAt.getTime())
      one.lookedAt = at
    }
  }
  expect(longest).toBeLessThanOrEqual(pace.withinMs)
})

test('the days that were read longest ago are chosen in whatever order they are listed, and read in the order of days', () => {
  const days = [
    { day: '2026-05-01', issued: 10, lookedAt: ago(9) },
    { day: '2026-01-01', issued: 10, lookedAt: ago(8) },
    { day: '2026-03-01', issued: 10, lookedAt: ago(1) },
  ]
  for (const listed of [days, days.toReversed()])
    expect(daysOfPass(listed, { withinMs: 4 * dayMs, periodMs: dayMs }, ago(7))).toEqual(
      ['2026-01-01', '2026-05-01'].map((day) => ({ from: day, to: day })),
    )
})

test('a gap of up to three days without credentials is read too, a longer one is not', () => {
  const read = (last: string) =>
    daysOfPass(
      ['2026-01-30', last].map((day) => ({ day, issued: 1, lookedAt: ago(40) })),
      pace,
      now,
    )
  expect(read('2026-02-03')).toEqual([{ from: '2026-01-30', to: '2026-02-03' }])
  expect(read('2026-02-04')).toEqual(['2026-01-30', '2026-02-04'].map((day) => ({ from: day, to: day })))
})

test('a day is followed by the next one, over the end of a month', () => {
  expect(dayAfter('2026-01-31', 1)).toBe('2026-02-01')
  expect(dayAfter('2026-03-01', -1)).toBe('2026-02-28')
})
