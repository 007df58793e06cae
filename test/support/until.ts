// Waits for something to be seen. Not expect.poll, which does not know its test when several run at once.

import { systemClock } from '#src/time/clock.ts'

/**
 * Resolves once `look` answers true; asks again at once when it answers anything else, which the error then tells.
 * @throws Error after `ms`, with `what` was waited for and the last answer
 */
export async function until(
  what: string,
  look: () => boolean | string | Promise<boolean | string>,
  { ms = 90_000, everyMs = 20 } = {},
): Promise<void> {
  const began = systemClock.monotonicMs()
  for (;;) {
    const seen = await look()
    if (seen === true) return
    if (systemClock.monotonicMs() - began > ms) throw new Error(`Waited ${ms} ms for ${what}; seen at the end: ${seen}`)
    await systemClock.sleep(everyMs)
  }
}
