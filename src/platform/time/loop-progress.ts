// Tracks whether the loops of this process still make progress. A process that is alive but stuck looks healthy from
// outside, so each loop reports every iteration, and loops whose iteration is overdue are listed. Performs no I/O.

import type { Clock } from './clock.ts'

export interface Loop {
  /** An iteration has ended. */
  iterationEnded(): void
  /** The loop has ended as intended and is no longer watched. */
  end(): void
}

export interface LoopStatus {
  name: string
  /** Milliseconds since its last iteration. */
  forMs: number
  limitMs: number
}

export interface LoopProgress {
  /**
   * Starts watching a loop, as if an iteration had just ended. A loop replaces an earlier one of the same name.
   * `limitMs` is how long an iteration may take.
   */
  watch(name: string, limitMs: number): Loop
  /**
   * Counts as an iteration of the loop of this name. For a loop that waits for something that is unavailable and that a
   * restart would not bring back.
   */
  excuse(name: string): void
  /** Returns all watched loops. */
  loops(): LoopStatus[]
  /** Returns the loops whose iteration is overdue. */
  stalled(): LoopStatus[]
}

export function openLoopProgress(clock: Clock): LoopProgress {
  const watched = new Map<string, { at: number; limitMs: number }>()
  const loops = () => {
    const now = clock.monotonicMs()
    return [...watched].map(([name, { at, limitMs }]) => ({ name, forMs: now - at, limitMs }))
  }
  return {
    watch(name, limitMs) {
      const mark = { at: clock.monotonicMs(), limitMs }
      watched.set(name, mark)
      return {
        iterationEnded() {
          mark.at = clock.monotonicMs()
        },
        end() {
          if (watched.get(name) === mark) watched.delete(name)
        },
      }
    },
    excuse(name) {
      const mark = watched.get(name)
      if (mark) mark.at = clock.monotonicMs()
    },
    loops,
    stalled: () => loops().filter((loop) => loop.forMs > loop.limitMs),
  }
}
