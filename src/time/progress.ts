// Whether the loops of this process still turn. A process that is alive and stuck looks well from outside; so each loop says when it has
// turned, and who asks is told which stand still. Nothing here asks anything of anybody.

import type { Clock } from './clock.ts'

export interface Loop {
  /** It has come round. */
  turned(): void
  /** It has ended as it should, and is not looked at any more. */
  end(): void
}

export interface Turning {
  name: string
  /** Milliseconds since it turned last. */
  forMs: number
  limitMs: number
}

export interface Progress {
  /** Begins to watch a loop, which counts as turned now. Of one name there is one: a later one takes its place. `limitMs`: how long a turn may take. */
  watch(name: string, limitMs: number): Loop
  /** The same as `turned`, for who only knows the name: what it waits for is away, and no restart would bring that back. */
  excuse(name: string): void
  /** All that are watched. */
  loops(): Turning[]
  /** Those that should have turned by now. */
  standing(): Turning[]
}

export function openProgress(clock: Clock): Progress {
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
        turned() {
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
    standing: () => loops().filter((loop) => loop.forMs > loop.limitMs),
  }
}
