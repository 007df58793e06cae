// Slots of a single process: no second contains more sends than the limit, and waiters are served in order.

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
})
