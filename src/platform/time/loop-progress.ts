// Tracks whether the loops of this process still make progress. A process that is alive but stuck looks healthy from
// outside, so each loop reports every iteration, and loops whose iteration is overdue are listed. Performs no I/O.

import type { Clock } from './clock.ts'

export interface LoopStatus {
  name: string
  /** Milliseconds since its last iteration. */
  idleMs: number
  limitMs: number
}

export function openLoopProgress(clock: Clock) {
  const watched = new Map<string, { at: number; limitMs: number }>()
  const loops = (): LoopStatus[] => {
    const now = clock.monotonicMs()
    return [...watched].map(([name, { at, limitMs }]) => ({ name, idleMs: now - at, limitMs }))
  }
  return {
    /**
     * Starts watching a loop, as if an iteration had just ended. A loop replaces an earlier one of the same name.
     * `limitMs` is how long an iteration may take.
     */
    watch(name: string, limitMs: number) {
      const mark = { at: clock.monotonicMs(), limitMs }
      watched.set(name, mark)
      return {
        iterationEnded() {
          mark.at = clock.monotonicMs()
        },
        /** Call this when the loop ends as intended. It is then no longer watched. */
        end() {
          if (watched.get(name) === mark) watched.delete(name)
        },
      }
    },
    /**
     * Counts an iteration for the loop of this name. Used while a loop waits for something that is unavailable and that
     * a restart would not bring back.
     */
    countIteration(name: string) {
      const mark = watched.get(name)
      if (mark) mark.at = clock.monotonicMs()
    },
    /** All watched loops. */
    loops,
    /** The loops whose iteration is overdue. */
    stalled: () => loops().filter((loop) => loop.idleMs > loop.limitMs),
  }
}
