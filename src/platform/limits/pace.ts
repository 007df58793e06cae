// Computes when the next send within a limit may happen. Pure. slot-scripts.ts implements the same algorithm in Lua,
// and a test compares the two.
//
// With fixed windows or refilled reservoirs, two allowances can be used up within one second around a window's edge.
// For each of the two methods, about 120 sends instead of 60 were measured within a second. A log of send times
// prevents that.

/** Times in milliseconds, all on the same clock. */
export interface Pace {
  /** The last sends, oldest first, at most as many as the limit. */
  log: readonly number[]
  /** When the last send would have been if sends were evenly spaced. */
  due: number
}

export interface PaceRule {
  /** Sends in one window. */
  limit: number
  /** A second plus the margin. */
  windowMs: number
}

/**
 * After a delay of up to this long, sends follow at half the usual spacing until they have caught up. The rest of a
 * longer delay is not made up, because that would cause a burst.
 */
export const maxDebtMs = 100

/** Returns when the next send may happen, and when it was due. Both may be before `now`. */
export function nextSend({ log, due }: Pace, { limit, windowMs }: PaceRule, now: number): { at: number; due: number } {
  const spacing = windowMs / limit
  const turn = Math.max(due + spacing, now - maxDebtMs)
  const last = log.at(-1)
  const oldest = log.length >= limit ? log[log.length - limit] : undefined
  const at = Math.max(
    turn,
    last === undefined ? turn : last + spacing / 2,
    oldest === undefined ? turn : oldest + windowMs,
  )
  return { at, due: turn }
}

// How responses with status 429 widen the margin beyond the estimate for the network path (margin-estimate.ts). One
// step decays within two minutes. Ten minutes of refusals every ten seconds slow sending down to two thirds, but not
// further.
export const widening = { stepMs: 30, maxMs: 500, backPerSecondMs: 0.25 }

/** How far a refusal has widened the margin. Times in milliseconds, on the same clock as those of `Pace`. */
export interface WidenedMargin {
  ms: number
  /** When it was last widened. It has been shrinking since then. */
  at: number
}

/** Returns what is left of a widened margin. A time in the future, from a clock that was rolled back, counts as now. */
export function marginAt({ ms, at }: WidenedMargin, now: number): number {
  return Math.max(0, ms - (Math.max(0, now - at) / 1_000) * widening.backPerSecondMs)
}

/** Returns the margin after one more refusal. */
export function widen(widened: WidenedMargin, stepMs: number, now: number): WidenedMargin {
  return { ms: Math.min(widening.maxMs, marginAt(widened, now) + stepMs), at: now }
}
