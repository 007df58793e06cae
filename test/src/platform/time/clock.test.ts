// The system clock's sleep, which must also work for times longer than Node's longest timer.

import { expect, test, vi } from 'vitest'
import { systemClock } from '#src/platform/time/clock.ts'

test('a sleep longer than Node’s longest timer does not end immediately', async () => {
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
