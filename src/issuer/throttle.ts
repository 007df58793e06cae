// Pauses an endpoint's gate after the service has answered "too many requests" (429).

import { nextDelay } from '#src/platform/backoff.ts'
import type { Gate } from '#src/platform/limits/gate.ts'
import type { Clock } from '#src/platform/time/clock.ts'

// A longer Retry-After is treated as a mistake, because one header must not stop a worker for days.
const maxRetryAfterMs = 3_600_000
const curve = { baseMs: 1_000, capMs: 60_000 }

export interface Throttle {
  /** Must be called when a 429 has arrived. `retryAfterMs` is its Retry-After, or null if it had none. */
  onThrottled(retryAfterMs: number | null): void
  /** Must be called when any other answer has arrived. */
  onAnswer(): void
}

/**
 * Pauses `gate` for as long as the service asked. Without a Retry-After the pause is 1 s, doubling up to 60 s with each
 * consecutive 429.
 */
export function openThrottle(gate: Gate, clock: Clock): Throttle {
  let consecutive = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  const isPaused = () => clock.monotonicMs() < pausedUntil
  return {
    onThrottled(retryAfterMs) {
      // Several requests may have been running when the first 429 arrived. Their 429s must not count as further steps.
      if (!isPaused()) consecutive += 1
      const stepMs = nextDelay(consecutive, curve)
      // Retry-After: 0 is meaningless after "too many requests".
      const ms = retryAfterMs ? Math.min(retryAfterMs, maxRetryAfterMs) : isPaused() ? 0 : stepMs
      pausedUntil = Math.max(pausedUntil, clock.monotonicMs() + ms)
      gate.pause(ms, { namedByService: Boolean(retryAfterMs) })
    },
    onAnswer() {
      if (!isPaused()) consecutive = 0
    },
  }
}
