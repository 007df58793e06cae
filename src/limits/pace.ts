// When the next send of an allowance may happen. Pure; slot-scripts.ts says the same in Lua, and a test holds the two together.

// Fixed windows and refilled reservoirs let two allowances meet at the edge of a second (about 120 instead of 60 were
// measured for each of them); a log of send times can't.

/** Times in milliseconds on one clock, whichever. */
export interface Pace {
  /** The last sends, oldest first, at most as many as the limit. */
  log: readonly number[]
  /** When the last send would have been, had each come at its even turn. */
  due: number
}

export interface PaceRule {
  /** Sends in one window. */
  limit: number
  /** A second and the margin. */
  windowMs: number
}

/** A debt from a stall of this long is made good, at half the usual spacing; an older one is forgiven, or it would be a burst. */
export const mostDebtMs = 100

/** When the next send may happen, and when it was due. Both may lie before `now`. */
export function nextSend({ log, due }: Pace, { limit, windowMs }: PaceRule, now: number): { at: number; due: number } {
  const spacing = windowMs / limit
  const turn = Math.max(due + spacing, now - mostDebtMs)
  const last = log.at(-1)
  const oldest = log.length >= limit ? log[log.length - limit] : undefined
  const at = Math.max(
    turn,
    last === undefined ? turn : last + spacing / 2,
    oldest === undefined ? turn : oldest + windowMs,
  )
  return { at, due: turn }
}

// What 429s do to the margin. With 60 ms of jitter on the way a margin of 20 ms was refused 15 times in 1,500 and one of 50 ms never;
// so a step is 30 ms, and two minutes take it back. Ten minutes of refusals every ten seconds slow down to two thirds and no further.
export const widening = { stepMs: 30, mostMs: 500, backPerSecondMs: 0.25 }

export interface Widened {
  ms: number
  at: number
}

/** What is left of a widened margin. A mark from the future, by a clock that was set back, counts as new. */
export function widenedAt({ ms, at }: Widened, now: number): number {
  return Math.max(0, ms - (Math.max(0, now - at) / 1_000) * widening.backPerSecondMs)
}

/** The margin after one more refusal. */
export function widen(widened: Widened, now: number): Widened {
  return { ms: Math.min(widening.mostMs, widenedAt(widened, now) + widening.stepMs), at: now }
}
