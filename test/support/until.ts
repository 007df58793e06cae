// Waits for a condition. Does not use expect.poll, which loses its test when several run concurrently.

import { systemClock } from '#src/platform/time/clock.ts'

/**
 * Resolves once `check` returns true, calling it every `everyMs`. Any other value is kept for the error.
 * @throws Error after `ms`, with `what` and the last value
 */
export async function until(
  what: string,
  check: () => boolean | string | Promise<boolean | string>,
  { ms = 600_000, everyMs = 100 } = {},
): Promise<void> {
  const startedAt = systemClock.monotonicMs()
  for (;;) {
    const seen = await check()
    if (seen === true) return
    if (systemClock.monotonicMs() - startedAt > ms) throw new Error(`Waited ${ms} ms for ${what}; last value: ${seen}`)
    await systemClock.sleep(everyMs)
  }
}
