// Slots for one process: a sliding log of the last sends, so that no second of any phase holds more than the limit.

import type { Clock } from '#src/time/clock.ts'
import { nextSend, type Pace, type Widened, widen, widenedAt } from './pace.ts'
import { longerPause, type Paused, pauseLeft } from './pauses.ts'
import type { Slots } from './slots.ts'

export interface SlotsOptions {
  /** Sends allowed in any 1000 ms. */
  limit: number
  /** Milliseconds added to the second, for the spread of travel times on the way to the service. */
  marginMs: number
}

/** Opens slots on `clock`'s monotonic time. Takers are served in the order in which they came. */
export function openLocalSlots({ limit, marginMs }: SlotsOptions, clock: Clock): Slots {
  // The past is unknown: a process before this one may have been sending at full pace until a moment ago. Pretending
  // exactly that costs nothing but the first few milliseconds, where waiting a whole second would be felt.
  const opened = clock.monotonicMs()
  const spacingMs = (1_000 + marginMs) / limit
  let pace: Pace = { log: Array.from({ length: limit }, (_, i) => opened - (limit - 1 - i) * spacingMs), due: opened }
  let widened: Widened = { ms: 0, at: opened }
  let paused: Paused | null = null

  async function acquire(signal: AbortSignal | undefined): Promise<number> {
    for (;;) {
      signal?.throwIfAborted()
      const now = clock.monotonicMs()
      const shutFor = pauseLeft(paused, now)
      if (shutFor > 0) return shutFor
      const windowMs = 1_000 + marginMs + widenedAt(widened, now)
      const { at, due } = nextSend(pace, { limit, windowMs }, now)
      if (now >= at) {
        pace = { log: [...pace.log.slice(1), now], due }
        return 0
      }
      // A timer may fire a little early or late, hence the loop: only the clock read in this tick decides.
      await clock.sleep(Math.ceil(at - now), signal)
    }
  }

  let tail: Promise<unknown> = Promise.resolve()
  return {
    take(signal) {
      const turn = tail.then(() => acquire(signal))
      tail = turn.catch(() => {})
      return turn
    },
    pause(wanted) {
      const now = clock.monotonicMs()
      // Several requests were under way when the first was refused; theirs is the same news.
      if (pauseLeft(paused, now) === 0) widened = widen(widened, now)
      paused = longerPause(paused, wanted, now)
    },
  }
}
