// Waits for something that is to happen, and says what did not.

import { systemClock } from '#src/time/clock.ts'

const patienceMs = 40_000

/** Asks ten times a second. Throws after 40 s. */
export async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const end = systemClock.monotonicMs() + patienceMs
  while (!(await condition())) {
    if (systemClock.monotonicMs() > end) throw new Error(`It does not happen within ${patienceMs} ms that ${what}`)
    await systemClock.sleep(100)
  }
}
