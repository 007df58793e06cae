// The estimate of Redis's clock uses the most precise measurement, and a contradiction shows that a clock was set.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openRemoteClock } from '#src/platform/limits/slot-client.ts'

const offset = 1_000_000

test('a time is known to within half a round trip', () => {
  const clock = openRemoteClock()
  expect(clock.doubtMs(0)).toBe(Number.POSITIVE_INFINITY)
  clock.note(100, offset + 101, 104)
  expect(clock.toLocal(offset + 200)).toBe(201)
  expect(clock.doubtMs(104)).toBe(2)
})

test('an answer that is read late does not change the estimate', () => {
  const clock = openRemoteClock()
  clock.note(100, offset + 100.5, 101)
  clock.note(200, offset + 200.5, 290)
  expect(clock.toLocal(offset + 300)).toBeCloseTo(300, 5)
})

test('the doubt grows by half a millisecond a second', () => {
  const clock = openRemoteClock()
  clock.note(100, offset + 101, 104)
  expect([104, 2_104, 20_104, 50].map(clock.doubtMs)).toEqual([2, 3, 12, 2])
})

test('a less precise measurement that agrees within both doubts and the rounding changes nothing', () => {
  const clock = openRemoteClock()
  clock.note(0, offset + 5, 10)
  clock.note(100, offset + 145, 140)
  expect(clock.toLocal(offset + 1_000)).toBe(1_000)
  clock.note(200, offset + 247, 240)
  expect(clock.toLocal(offset + 1_000)).toBe(973)
})

test('a clock that was set is accepted immediately', () => {
  const clock = openRemoteClock()
  clock.note(100, offset + 100.5, 101)
  clock.note(200, offset + 5_205, 210)
  expect(clock.toLocal(offset + 5_300)).toBeCloseTo(300, 5)
  expect(clock.doubtMs(210)).toBe(5)
})

test('the error is never larger than the stated uncertainty, whatever the latencies', () => {
  const trip = fc.record({
    there: fc.double({ min: 0, max: 50, noNaN: true }),
    back: fc.double({ min: 0, max: 50, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(trip, { minLength: 1, maxLength: 20 }), (trips) => {
      const clock = openRemoteClock()
      let now = 0
      for (const { there, back } of trips) {
        clock.note(now, offset + now + there, now + there + back)
        now += there + back
        expect(Math.abs(clock.toLocal(offset + now) - now)).toBeLessThanOrEqual(clock.doubtMs(now) + 1e-6)
        now += 17
      }
    }),
  )
})
