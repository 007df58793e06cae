// An answer that serves everybody who asks within a while, asked for by one of them.

import type { Clock } from './clock.ts'

/**
 * Asks at most once at a time, and not again before `forMs` of the last answer, or of its failure, have passed. With `restPerAsking` the pause after
 * an answer is at least so many times as long as the asking took, up to `mostMs`, so that what is slow is asked more seldom.
 */
export function remember<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
  { forMs, restPerAsking = 0, mostMs = forMs }: { forMs: number; restPerAsking?: number; mostMs?: number },
): () => Promise<Answer> {
  let answer: Promise<Answer> | null = null
  let goodUntil = Number.NEGATIVE_INFINITY
  return () => {
    if (answer && clock.monotonicMs() < goodUntil) return answer
    const began = clock.monotonicMs()
    // Until it has ended, however long that takes.
    goodUntil = Number.POSITIVE_INFINITY
    const asked = ask()
    const rest = (ms: number) => {
      goodUntil = clock.monotonicMs() + ms
    }
    asked.then(
      () => rest(Math.max(forMs, Math.min(mostMs, restPerAsking * (clock.monotonicMs() - began)))),
      () => rest(forMs),
    )
    answer = asked
    return asked
  }
}
