// The curve of patience: each further try waits about twice as long, up to a cap.

export interface BackoffCurve {
  /** Milliseconds before the second try, before jitter. */
  baseMs: number
  /** The longest wait in milliseconds. */
  capMs: number
  /** Share of the wait that chance may take away, 0 to 1. Default 0: no jitter. */
  jitter?: number
}

/**
 * Milliseconds to wait after try number `attempt` (1 for the first) failed. `random` gives numbers in [0, 1); a curve without
 * jitter needs none. Jitter only shortens, so the cap is a true cap.
 */
export function nextDelay(attempt: number, curve: BackoffCurve, random: () => number = () => 0): number {
  const doublings = Math.max(0, Math.floor(attempt) - 1)
  const full = Math.min(curve.capMs, curve.baseMs * 2 ** doublings)
  return Math.round(full * (1 - (curve.jitter ?? 0) * random()))
}
