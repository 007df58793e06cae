// What is asked once for many.

import { describe, expect, test } from 'vitest'
import { remember } from '#src/time/remember.ts'
import { TooLateError, within } from '#src/time/within.ts'
import { steppedClock } from '#test/support/clock.ts'

describe('an answer that is remembered', () => {
  test('is asked for once in its time, however many want it', async () => {
    const clock = steppedClock()
    let asked = 0
    const ask = remember(clock, async () => ++asked, { forMs: 5_000 })
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
    await clock.advance(4_999)
    expect(await ask()).toBe(1)
    await clock.advance(1)
    expect(await ask()).toBe(2)
  })

  test('is not asked for again while the question is open, and a failure is an answer for the same time', async () => {
    const clock = steppedClock()
    let asked = 0
    const question = Promise.withResolvers<number>()
    const open = () => {
      asked += 1
      return question.promise
    }
    const ask = remember(clock, open, { forMs: 1_000 })
    const first = ask()
    await clock.advance(60_000)
    const second = ask()
    question.reject(new Error('away'))
    await expect(Promise.all([first, second])).rejects.toThrow('away')
    await expect(ask()).rejects.toThrow('away')
    expect(asked).toBe(1)
  })

  test('is asked for the more seldom the longer it takes', async () => {
    const clock = steppedClock()
    let asked = 0
    const slow = async () => {
      asked += 1
      await clock.sleep(1_000)
    }
    const ask = remember(clock, slow, { forMs: 5_000, restPerAsking: 20, mostMs: 60_000 })
    const first = ask()
    await clock.advance(1_000)
    await first
    await clock.advance(19_999)
    void ask()
    expect(asked).toBe(1)
    await clock.advance(1)
    void ask()
    expect(asked).toBe(2)
    await clock.advance(1_000)
  })

  test('is asked for again soon after a failure that took long, and never later than the most', async () => {
    const clock = steppedClock()
    let asked = 0
    const ask = remember(
      clock,
      async () => {
        asked += 1
        await clock.sleep(30_000)
        if (asked === 1) throw new Error('away')
      },
      { forMs: 5_000, restPerAsking: 20, mostMs: 60_000 },
    )
    ask().catch(() => {})
    await clock.advance(35_000)
    void ask()
    expect(asked).toBe(2)
    await clock.advance(30_000 + 59_999)
    void ask()
    expect(asked).toBe(2)
    await clock.advance(1)
    void ask()
    expect(asked).toBe(3)
    await clock.advance(30_000)
  })
})

describe('a deadline', () => {
  test('ends the waiting, and lets go of its timer when the answer came', async () => {
    const clock = steppedClock()
    const late = within(clock, 2_000, new Promise(() => {}))
    const told = expect(late).rejects.toThrow(TooLateError)
    await clock.advance(2_000)
    await told
    expect(await within(clock, 2_000, Promise.resolve('here'))).toBe('here')
  })
})
