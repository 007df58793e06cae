// The pauses after a request or a message that failed, which grow with each failure.

import { type BackoffCurve, nextDelay } from '#src/platform/backoff.ts'
import type { Clock } from '#src/platform/time/clock.ts'

export type Pause = ReturnType<typeof openPause>

/** @param baseMs the pause after the first failure */
export function openPause(clock: Pick<Clock, 'monotonicMs'>, baseMs: number, capMs: number) {
  let failures = 0
  let endMs = Number.NEGATIVE_INFINITY
  const begin = (ms: number) => {
    failures = 0
    endMs = clock.monotonicMs() + ms
  }
  return {
    begin,
    lasts: () => clock.monotonicMs() < endMs,
    afterFailure() {
      failures++
      endMs = clock.monotonicMs() + nextDelay(failures, { baseMs, capMs })
    },
  }
}

/**
 * The pauses between tries to deliver one message. It is tried for as long as it takes: what has to wait in that time
 * is collected in the next message, so nothing piles up.
 */
export const retryCurve: BackoffCurve = { baseMs: 60_000, capMs: 3_600_000, jitter: 0.2 }
