// The outcome of a call, written down as soon as the database takes it: one that is not written down is unknown for ever, and only this process
// knows it. A database that starts anew takes some seconds.

import { faultName } from '#src/log/fault-name.ts'
import { nextDelay } from '#src/retry/backoff.ts'
import type { Tools } from './tools.ts'

/** Below the margin that the ledger adds to a call's deadline before it takes the call for lost (src/ledger/attempts.ts). */
const marginMs = 10_000
const again = { baseMs: 100, capMs: 2_000 }

/**
 * Tries for as long as the ledger waits for the outcome. A second one, or a late one, changes nothing there.
 * @param atDoor on the monotonic clock
 * @throws what `write` last did
 */
export async function keepWriting(
  { clock, tuning, log }: Pick<Tools, 'clock' | 'tuning' | 'log'>,
  atDoor: number,
  write: () => Promise<unknown>,
): Promise<void> {
  const untilMs = atDoor + tuning.deadlineMs + marginMs
  for (let tries = 1; ; tries++)
    try {
      await write()
      return
    } catch (error) {
      const waitMs = nextDelay(tries, again)
      if (clock.monotonicMs() + waitMs > untilMs) throw error
      log.event('fault', { where: 'outcome', error: faultName(error) })
      await clock.sleep(waitMs)
    }
}
