// Rate-limit permits (“slots”) for a single process. A sliding log of the last sends ensures that no window of one
// second, wherever it begins, contains more sends than the limit.

import type { Clock } from '#src/platform/time/clock.ts'
import { openMarginEstimate } from './margin-estimate.ts'
import { marginAt, nextSend, type Pace, type WidenedMargin, widen } from './pace.ts'
import { isOfSameBurst, longerPause, type PausePeriod, pauseLeft } from './pauses.ts'
import type { Slots } from './slots.ts'

export interface SlotsOptions {
  /** Sends allowed in any 1000 ms. */
  limit: number
  /** Milliseconds added to the second, because requests take varying times to reach the service. */
  marginMs: number
  /** See `cautionMs` in margin-estimate.ts. Default 0: the margin is not learned. */
  cautionMs?: number
}

/** Opens slots on `clock`'s monotonic time. Callers are served in order of arrival. */
export function openLocalSlots({ limit, marginMs, cautionMs = 0 }: SlotsOptions, clock: Clock): Slots {
  const estimate = openMarginEstimate({ limit, marginMs, cautionMs })
  // A previous process may have been sending at the full rate until just now. Assuming so delays the start by only a
  // few milliseconds, while waiting a whole second would be noticeable.
  const opened = clock.monotonicMs()
  const spacingMs = (1_000 + marginMs) / limit
  let pace: Pace = { log: Array.from({ length: limit }, (_, i) => opened - (limit - 1 - i) * spacingMs), due: opened }
  let widened: WidenedMargin = { ms: 0, at: opened }
  let paused: PausePeriod | null = null

  async function acquire(signal: AbortSignal | undefined): Promise<number> {
    for (;;) {
      signal?.throwIfAborted()
      const now = clock.monotonicMs()
      const pausedForMs = pauseLeft(paused, now)
      if (pausedForMs > 0) return pausedForMs
      const windowMs = 1_000 + estimate.marginMs(now) + marginAt(widened, now)
      const { at, due } = nextSend(pace, { limit, windowMs }, now)
      if (now >= at) {
        pace = { log: [...pace.log.slice(1), now], due }
        return 0
      }
      // Loops because a timer may fire a little early or late. Only the clock read in this tick decides.
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
    noteAccepted: (send) => estimate.noteAccepted(send, clock.monotonicMs()),
    pause(pause) {
      const now = clock.monotonicMs()
      if (!isOfSameBurst(paused, pause, now)) widened = widen(widened, estimate.noteRefused(now), now)
      paused = longerPause(paused, pause, now)
      // Sends that were held back by a pause are not made up for.
      pace = { ...pace, due: Math.max(pace.due, paused.until) }
    },
  }
}
