// Writes the outcome of a call to the ledger, and retries for as long as the ledger waits for it, because a database
// that restarts needs a few seconds. Only this process knows the outcome: if it is not written, it stays unknown
// forever.

import { nextDelay } from '#src/platform/backoff.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { Tools } from './job-tools.ts'

/**
 * Less than the margin that the ledger adds to a call's deadline before it assumes that the call was lost
 * (src/ledger/attempts/commit-claim.ts).
 */
const marginMs = 10_000
const retryCurve = { baseMs: 100, capMs: 2_000 }

/**
 * Calls `write` until it succeeds. Writing an outcome twice, or too late, changes nothing in the ledger.
 * @param claimedAtMs on the monotonic clock
 * @throws the last error of `write`
 */
export async function persistOutcome<Written>(
  { clock, tuning, log }: Pick<Tools, 'clock' | 'tuning' | 'log'>,
  claimedAtMs: number,
  write: () => Promise<Written>,
): Promise<Written> {
  const giveUpAtMs = claimedAtMs + tuning.deadlineMs + marginMs
  for (let tries = 1; ; tries++)
    try {
      return await write()
    } catch (error) {
      const waitMs = nextDelay(tries, retryCurve)
      if (clock.monotonicMs() + waitMs > giveUpAtMs) throw error
      log.event('fault', { where: 'outcome', error: faultName(error) })
      await clock.sleep(waitMs)
    }
}
