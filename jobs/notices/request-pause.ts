// The pause between two tries to reach one address or recipient, which grows with each failure.

import { nextDelay } from '#src/platform/backoff.ts'
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
