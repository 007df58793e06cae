// Computes how long a refused endpoint is paused for all processes that share it. Pure. slot-scripts.ts implements the
// same algorithm in Lua.

import type { GatePause } from './slots.ts'

/** Times in milliseconds, all on the same clock. */
export interface PausePeriod {
  since: number
  until: number
}

/** Pauses whose length the service did not name double up to this length. */
export const maxStepMs = 60_000

/** One refusal may be due to uneven arrivals. If another follows soon, nothing is sent for at least this long. */
export const repeatedMs = 1_000

/**
 * A refusal within this time after a pause, or within the length of that pause if that is longer, doubles the next
 * pause.
 */
export const soonMs = 1_000

/**
 * Returns the milliseconds left, 0 without a pause. A pause that begins in the future (the clock was rolled back) is
 * void.
 */
export function pauseLeft(paused: PausePeriod | null, now: number): number {
  return paused && paused.since <= now ? Math.max(0, paused.until - now) : 0
}

/**
 * Whether a refusal at `now` belongs to those that started the last pause: it arrived during the pause, or its request
 * was sent before the pause.
 */
export function isOfSameBurst(before: PausePeriod | null, { sentAgoMs }: GatePause, now: number): boolean {
  return before !== null && before.since <= now && (now < before.until || now - sentAgoMs <= before.since)
}

/**
 * Returns the pause after a refusal at `now`. A refusal of the same burst changes nothing, unless the service names a
 * later time. A refusal soon after a pause leads to a pause twice as long, no matter which process was refused before.
 */
export function longerPause(before: PausePeriod | null, pause: GatePause, now: number): PausePeriod {
  const { ms, namedByService } = pause
  if (before && isOfSameBurst(before, pause, now))
    return namedByService ? { ...before, until: Math.max(before.until, now + ms) } : before
  const length = before && before.since <= now ? before.until - before.since : 0
  const followsSoon = before !== null && length > 0 && now - before.until < Math.max(soonMs, length)
  const step = followsSoon && !namedByService ? Math.max(ms, repeatedMs, Math.min(maxStepMs, 2 * length)) : ms
  return { since: now, until: now + step }
}
