// Retry delays grow exponentially up to a cap, and jitter shortens them.

import { expect, test } from 'vitest'
import { nextDelay } from '#src/platform/backoff.ts'

test('the wait doubles from the base up to the cap and stays there', () => {
  const waits = [1, 2, 3, 4, 5, 2_000].map((n) => nextDelay(n, { baseMs: 1_000, capMs: 5_000 }, () => 0.9))
  expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
})

test('jitter only shortens the wait, and by at most the given share', () => {
  const curve = { baseMs: 1_000, capMs: 60_000, jitter: 0.5 }
  expect(nextDelay(2, curve, () => 0)).toBe(2_000)
  expect(nextDelay(2, curve, () => 0.5)).toBe(1_500)
  expect(nextDelay(2, curve, () => 0.999_999)).toBe(1_000)
})
