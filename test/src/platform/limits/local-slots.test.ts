// Slots of a single process: no second contains more sends than the limit, and waiters are served in order.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openLocalSlots } from '#src/platform/limits/local-slots.ts'
import { steppedClock } from '#test/support/clock.ts'

/** Returns the send times of bursts of waiters, each `after` milliseconds later than the one before. */
async function sendTimes(limit: number, marginMs: number, bursts: { after: number; waiters: number }[]) {
  const clock = steppedClock()
  const slots = openLocalSlots({ limit, marginMs }, clock)
  const times: number[] = []
  let requested = 0
  for (const { after, waiters } of bursts) {
    await clock.advance(after)
    for (let i = 0; i < waiters; i++) slots.take().then(() => times.push(clock.monotonicMs()))
    requested += waiters
  }
  await clock.advance(Math.ceil(requested / limit + 2) * (1_000 + marginMs))
  expect(times).toHaveLength(requested)
  return times
}

describe('with local slots,', () => {
  test('no window of one second contains more sends than the limit, whatever the arrivals', async () => {
    const burst = fc.record({ after: fc.nat({ max: 1_500 }), waiters: fc.nat({ max: 12 }) })
    const arrivals = fc.array(burst, { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(0, 20),
        arrivals,
        async (limit, margin, bursts) => {
          const times = await sendTimes(limit, margin, bursts)
          for (let i = limit; i < times.length; i++) {
            expect((times[i] ?? 0) - (times[i - limit] ?? 0)).toBeGreaterThanOrEqual(1_000 + margin)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('steady demand gets at least 97 percent of the limit', async () => {
    const times = await sendTimes(60, 20, [{ after: 0, waiters: 600 }])
    const last = times.at(-1) ?? 0
    expect(600 / (last / 1_000)).toBeGreaterThanOrEqual(58.2)
  })

  test('an idle process that resumes spreads its burst over more than a third of a second', async () => {
    const times = await sendTimes(60, 20, [{ after: 5_000, waiters: 60 }])
    expect((times[59] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(340)
  })

  test('a new process assumes that the previous one was sending at the full rate', async () => {
    const times = await sendTimes(3, 20, [{ after: 0, waiters: 3 }])
    expect(times).toEqual([340, 680, 1_020])
  })

  test('several refusals in one pause widen the margin once', async () => {
    const clock = steppedClock()
    const slots = openLocalSlots({ limit: 10, marginMs: 0 }, clock)
    await clock.advance(5_000)
    for (let refusal = 0; refusal < 3; refusal++) slots.pause({ ms: 1_000, namedByService: true, sentAgoMs: 0 })
    await clock.advance(1_000)
    const times: number[] = []
    for (let i = 0; i < 11; i++) slots.take().then(() => times.push(clock.monotonicMs()))
    await clock.advance(3_000)
    const gap = (times[10] ?? 0) - (times[0] ?? 0)
    expect(gap).toBeGreaterThan(1_020)
    expect(gap).toBeLessThanOrEqual(1_031)
  })

  test('waiters are served in order of arrival', async () => {
    const clock = steppedClock()
    const slots = openLocalSlots({ limit: 2, marginMs: 0 }, clock)
    const order: number[] = []
    for (let i = 0; i < 9; i++) slots.take().then(() => order.push(i))
    await clock.advance(6_000)
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('an aborted waiter is rejected with the reason, and its slot goes to the next waiter', async () => {
    const clock = steppedClock()
    const slots = openLocalSlots({ limit: 1, marginMs: 0 }, clock)
    const first = slots.take()
    const abort = new AbortController()
    const second = slots.take(abort.signal)
    const third = slots.take()
    abort.abort(new Error('stopping'))
    await clock.advance(1_000)
    await first
    await expect(second).rejects.toThrow('stopping')
    await clock.advance(1_000)
    await third
    expect(clock.monotonicMs()).toBe(2_000)
  })
})
