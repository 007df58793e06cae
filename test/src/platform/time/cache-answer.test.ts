// A cached answer, which many callers share, and the deadline of a call.

import { describe, expect, test } from 'vitest'
import { cacheAnswer } from '#src/platform/time/cache-answer.ts'
import { TooLateError, within } from '#src/platform/time/deadline.ts'
import { steppedClock } from '#test/support/clock.ts'

describe('a cached answer', () => {
  test('is requested only once in its lifetime, however many callers there are', async () => {
    const clock = steppedClock()
    let asked = 0
    const ask = cacheAnswer(clock, async () => ++asked, { validMs: 5_000 })
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
    await clock.advance(4_999)
    expect(await ask()).toBe(1)
    await clock.advance(1)
    expect(await ask()).toBe(2)
  })

  test('is not requested again while a request is open, and a failure is cached for the same time', async () => {
    const clock = steppedClock()
    let asked = 0
    const question = Promise.withResolvers<number>()
    const open = () => {
      asked += 1
      return question.promise
    }
    const ask = cacheAnswer(clock, open, { validMs: 1_000 })
    const first = ask()
    await clock.advance(60_000)
    const second = ask()
    question.reject(new Error('unavailable'))
    await expect(Promise.all([first, second])).rejects.toThrow('unavailable')
    await expect(ask()).rejects.toThrow('unavailable')
    expect(asked).toBe(1)
  })

  test('is requested less often the longer it takes', async () => {
    const clock = steppedClock()
    let asked = 0
    const slow = async () => {
      asked += 1
      await clock.sleep(1_000)
    }
    const ask = cacheAnswer(clock, slow, { validMs: 5_000, restFactor: 20, maxRestMs: 60_000 })
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

  test('is requested again soon after a slow failure, and never later than the maximum', async () => {
    const clock = steppedClock()
    let asked = 0
    const ask = cacheAnswer(
      clock,
      async () => {
        asked += 1
        await clock.sleep(30_000)
        if (asked === 1) throw new Error('unavailable')
      },
      { validMs: 5_000, restFactor: 20, maxRestMs: 60_000 },
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
  test('rejects a call that takes longer, and does not affect one that answers in time', async () => {
    const clock = steppedClock()
    const late = within(clock, 2_000, new Promise(() => {}))
    const rejected = expect(late).rejects.toThrow(TooLateError)
    await clock.advance(2_000)
    await rejected
    expect(await within(clock, 2_000, Promise.resolve('here'))).toBe('here')
  })
})
