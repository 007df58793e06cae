// Computes when an outgoing event that was not accepted is sent again. Pure.

import { parseRetryAfter } from '#src/platform/retry-after.ts'

/** How long to wait for a response. The standard suggests 15 to 30 seconds. */
export const webhookTimeoutMs = 15_000

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * The waits before the second try, the third, and so on: the example schedule of Standard Webhooks, with 10 tries in 76
 * hours.
 */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
const maxWaitMs = 24 * hour
const jitter = 0.1

/**
 * Returns how many milliseconds to wait before the next try; null after the last one. Retry-After can lengthen a wait
 * up to a day, but not shorten it.
 * @param attempt the number of the completed try, from 1
 * @param random returns a number in [0, 1), which adds jitter to the wait
 */
export function waitBeforeNextTry(
  attempt: number,
  retryAfter: string | undefined,
  now: Date,
  random: () => number,
): number | null {
  const plannedMs = waitsMs[attempt - 1]
  if (plannedMs === undefined) return null
  const requestedMs = Math.min(maxWaitMs, parseRetryAfter(retryAfter, now) ?? 0)
  return Math.round(Math.max(plannedMs, requestedMs) * (1 + jitter * random()))
}
