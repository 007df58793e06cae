// How long a refused endpoint rests, for all who share it. Pure; slot-scripts.ts says the same in Lua.

import type { Pause } from './slots.ts'

/** Milliseconds on one clock, whichever. */
export interface Paused {
  since: number
  until: number
}

/** Steps of ours double no further than this. */
export const longestStepMs = 60_000

/** A refusal so soon after a pause ended follows it, and is the next step; or within the length of that pause, if it was longer. */
export const soonMs = 1_000

/** Milliseconds that are left; 0 when none. A pause from the future, by a clock that was set back, is none. */
export function pauseLeft(paused: Paused | null, now: number): number {
  return paused && paused.since <= now ? Math.max(0, paused.until - now) : 0
}

/**
 * The pause after a refusal at `now`. Within a pause it is old news, unless the service names a later time. Right after one it is the next
 * step, whoever of several processes was refused the first time.
 */
export function longerPause(before: Paused | null, { ms, asked }: Pause, now: number): Paused {
  if (pauseLeft(before, now) > 0 && before)
    return asked ? { ...before, until: Math.max(before.until, now + ms) } : before
  const length = before && before.since <= now ? before.until - before.since : 0
  const follows = before !== null && length > 0 && now - before.until < Math.max(soonMs, length)
  const step = follows && !asked ? Math.max(ms, Math.min(longestStepMs, 2 * length)) : ms
  return { since: now, until: now + step }
}
