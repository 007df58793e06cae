import { expect, test, vi } from 'vitest'
import { systemClock } from '#src/time/clock.ts'

test('a sleep longer than the longest timer of Node ends when its time has come, and not at once', async () => {
  vi.useFakeTimers()
  try {
    let awake = false
    const day = 86_400_000
    void systemClock.sleep(30 * day).then(() => {
      awake = true
    })
    await vi.advanceTimersByTimeAsync(29 * day)
    expect(awake).toBe(false)
    await vi.advanceTimersByTimeAsync(2 * day)
    expect(awake).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
