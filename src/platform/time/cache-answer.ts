// Caches the result of an asynchronous call for a while and shares it between callers.

import type { Clock } from './clock.ts'

/**
 * Returns a function that makes at most one call at a time, and none until `validMs` after the last answer or failure.
 * With `restFactor`, the pause after an answer is at least that many times the duration of the call, up to `maxRestMs`,
 * so that slow calls are made less often.
 */
export function cacheAnswer<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
  { validMs, restFactor = 0, maxRestMs = validMs }: { validMs: number; restFactor?: number; maxRestMs?: number },
): () => Promise<Answer> {
  let answer: Promise<Answer> | null = null
  let validUntil = Number.NEGATIVE_INFINITY
  return () => {
    if (answer && clock.monotonicMs() < validUntil) return answer
    const startedAt = clock.monotonicMs()
    // No second call is made until this one has ended, however long it takes.
    validUntil = Number.POSITIVE_INFINITY
    const call = ask()
    const rest = (ms: number) => {
      validUntil = clock.monotonicMs() + ms
    }
    call.then(
      () => rest(Math.max(validMs, Math.min(maxRestMs, restFactor * (clock.monotonicMs() - startedAt)))),
      () => rest(validMs),
    )
    answer = call
    return call
  }
}
