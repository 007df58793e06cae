// Slots for one process: a sliding log of the last sends, so that no second of any phase holds more than the limit.

import type { Clock } from '#src/time/clock.ts'
import type { Slots } from './slots.ts'

// Fixed windows and refilled reservoirs let two allowances meet at the edge of a second (about 120 instead of 60 were
// measured for each of them); a log of send times can't.

export interface LocalSlotsOptions {
  /** Sends allowed in any 1000 ms. */
  limit: number
  /** Milliseconds added to the second, for the spread of travel times on the way to the service. */
  marginMs: number
}

/** Opens slots on `clock`'s monotonic time. Takers are served in the order in which they came. */
export function openLocalSlots({ limit, marginMs }: LocalSlotsOptions, clock: Clock): Slots {
  const windowMs = 1_000 + marginMs
  const spacingMs = windowMs / limit
  // Catching up after a stall at half the usual spacing, rather than all at once: a burst that is allowed here may still
  // arrive bunched with what comes after it.
  const leastGapMs = spacingMs / 2
  // The past is unknown: a process before this one may have been sending at full pace until a moment ago. Pretending
  // exactly that costs nothing but the first few milliseconds, where waiting a whole second would be felt.
  const opened = clock.monotonicMs()
  const log = Array.from({ length: limit }, (_, i) => opened - (limit - 1 - i) * spacingMs)
  let oldest = 0
  let latest = opened

  async function acquire(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      const now = clock.monotonicMs()
      const free = Math.max((log[oldest] ?? 0) + windowMs, latest + leastGapMs)
      if (now >= free) {
        log[oldest] = now
        latest = now
        oldest = (oldest + 1) % limit
        return
      }
      // A timer may fire a little early or late, hence the loop: only the clock read in this tick decides.
      await clock.sleep(Math.ceil(free - now), signal)
    }
  }

  let tail: Promise<void> = Promise.resolve()
  return {
    take(signal) {
      const turn = tail.then(() => acquire(signal))
      tail = turn.catch(() => {})
      return turn
    },
  }
}
