// Computes retry delays with exponential backoff: each wait is about twice as long as the one before, up to a cap.

export interface BackoffCurve {
  /** Milliseconds before the second attempt, before jitter. */
  baseMs: number
  /** The longest wait in milliseconds. */
  capMs: number
  /** The maximum share of the wait that random jitter removes, 0 to 1. Default 0: no jitter. */
  jitter?: number
}

/**
 * Milliseconds to wait after attempt number `attempt` (1 for the first) failed. Jitter only shortens the wait, so it
 * never exceeds the cap.
 * @param random returns numbers in [0, 1); not needed by a curve without jitter
 */
export function nextDelay(attempt: number, curve: BackoffCurve, random: () => number = () => 0): number {
  const doublings = Math.max(0, Math.floor(attempt) - 1)
  const fullWait = Math.min(curve.capMs, curve.baseMs * 2 ** doublings)
  return Math.round(fullWait * (1 - (curve.jitter ?? 0) * random()))
}
