// Whether an event is recent, according to the monotonic clock and the wall clock together.

import { describe, expect, test } from 'vitest'
import { stillFresh } from '#src/platform/time/still-fresh.ts'

const event = { monotonicMs: 70_000, wall: new Date('2026-03-01T12:00:00Z') }
const hour = 3_600_000

describe('whether less than five seconds have passed since an event', () => {
  test.each<[string, number, number, boolean]>([
    ['immediately', 0, 0, true],
    ['a second later', 1_200, 1_200, true],
    ['just before the limit', 4_999, 4_999, true],
    ['at the limit', 5_000, 5_000, false],
    ['long after the limit', hour, hour, false],
    ['on a machine that was suspended for an hour', 20, hour + 20, false],
    ['on a machine that was suspended for a second', 20, 1_500, true],
    ['where the wall clock was set forward by an hour', 20, hour, false],
    ['where the wall clock was rolled back by an hour', 20, 20 - hour, false],
    ['where the wall clock was rolled back, which hides a suspension', 3_000, 1_000, false],
    ['where the wall clock is slewed', 4_000, 3_998, true],
    ['where only the monotonic clock passed the limit', 6_000, 4_000, false],
  ])('%s', (_, monotonicMs, wallMs, fresh) => {
    const now = { monotonicMs: event.monotonicMs + monotonicMs, wall: new Date(event.wall.getTime() + wallMs) }
    expect(stillFresh(event, now, 5_000)).toBe(fresh)
  })
})
