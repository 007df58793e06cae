// Computes when a learning system is polled again after a poll that failed. Pure.

import { nextDelay } from '#src/platform/backoff.ts'

const backoff = { baseMs: 30_000, capMs: 30 * 60_000 }

/**
 * Milliseconds to wait after the failed poll number `attempt` (1 for the first).
 * @param requestedMs how long the system asked us to wait; null if it did not. Counts up to the longest wait
 */
export function pollRetryMs(attempt: number, requestedMs: number | null): number {
  return Math.min(Math.max(nextDelay(attempt, backoff), requestedMs ?? 0), backoff.capMs)
}
