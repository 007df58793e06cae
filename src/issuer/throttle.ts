// Turns "too many requests" into a pause of that endpoint's gate.

import { nextDelay } from '#src/retry/backoff.ts'
import type { Clock } from '#src/time/clock.ts'
import type { Gate } from './gate.ts'

// A Retry-After beyond this is taken for a mistake: nobody should find a worker silent for days by one header.
const longestAskedMs = 3_600_000
const curve = { baseMs: 1_000, capMs: 60_000 }

export interface Throttle {
  /** A 429 came. `askedMs` is its Retry-After, null when it gave none. */
  refused(askedMs: number | null): void
  /** Any other answer came. */
  answered(): void
}

/** Pauses `gate` for what the service asked, else for 1 s, doubling to 60 s while 429s follow one another. */
export function openThrottle(gate: Gate, clock: Clock): Throttle {
  let inARow = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  const paused = () => clock.monotonicMs() < pausedUntil
  return {
    refused(askedMs) {
      // Several requests were under way when the first 429 came; their 429s are the same news, not a second step.
      if (!paused()) inARow += 1
      const byStep = nextDelay(inARow, curve)
      // Retry-After: 0 says nothing useful right after "too many".
      const ms = askedMs ? Math.min(askedMs, longestAskedMs) : paused() ? 0 : byStep
      pausedUntil = Math.max(pausedUntil, clock.monotonicMs() + ms)
      gate.pause(ms, { asked: Boolean(askedMs) })
    },
    answered() {
      if (!paused()) inARow = 0
    },
  }
}
