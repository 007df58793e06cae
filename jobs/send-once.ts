// Makes a call that changes something in the service, once. Only the process that has committed the claim makes the
// call, within seconds and after the claim is recorded outside the ledger; then the outcome is written. Used for
// invitations and revocations.

import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { SendOptions } from '#src/issuer/sending/send-change.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import type { EndedCall } from '#src/ledger/attempts/outcomes.ts'
import { nextDelay } from '#src/platform/backoff.ts'
import type { CallTimes } from '#src/platform/limits/call-places.ts'
import type { EventFields } from '#src/platform/log/events.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { momentOf, stillFresh } from '#src/platform/time/still-fresh.ts'
import { callOnceMarked, reportForgottenCall } from './high-water-mark.ts'
import type { Tools } from './job-tools.ts'

export type SendTools = Pick<Tools, 'ledger' | 'issuer' | 'mark' | 'log' | 'clock' | 'tuning'>

export interface CallToSend<Decision> {
  /** Ids for the log. */
  about: EventFields
  /** Resolves to null if nothing may be sent. */
  claim: () => Promise<CommittedClaim | null>
  send: (options: SendOptions) => Promise<Outcome>
  /** Decides what the outcome means. Called once. */
  decideOutcome: (outcome: Outcome) => Promise<Decision> | Decision
  /** Writes the outcome and what it means. Called until the database accepts it. */
  writeOutcome: (outcome: Outcome, decision: Decision, claimed: CommittedClaim) => Promise<EndedCall>
}

/** How long a call may be delayed after its claim. After that, another worker may assume that the call was lost. */
const freshMs = 5_000

export interface SentCall {
  outcome: Outcome
  /** What may be logged about the call. */
  fields: EventFields
  /** Its duration, including the claim. */
  ms: number
  times: CallTimes
}

/** @returns null if nothing was claimed */
export async function sendOnce<Decision>(
  tools: SendTools,
  { about, claim, send, decideOutcome, writeOutcome }: CallToSend<Decision>,
): Promise<SentCall | null> {
  const { issuer, tuning, clock } = tools
  // Gets the token first, because a claimed call must not wait for one.
  await issuer.checkToken()
  // Taken before the claim, because the process may be frozen while it commits.
  const since = momentOf(clock)
  const claimed = await claim()
  if (!claimed) return null
  let [askedMs, sentMs] = [0, 0]
  const mayStillSend = () => {
    sentMs ||= clock.monotonicMs()
    return stillFresh(since, momentOf(clock), freshMs)
  }
  const options = { deadlineMs: tuning.deadlineMs, mayWaitMs: freshMs, mayStillSend }
  const outcome = await callOnceMarked(tools, claimed, () => {
    askedMs = clock.monotonicMs()
    return send(options)
  })
  const answeredMs = clock.monotonicMs()
  const decision = await decideOutcome(outcome)
  const ended = await persistOutcome(tools, since.monotonicMs, () => writeOutcome(outcome, decision, claimed))
  const { class: outcomeClass, status, code } = outcome
  const fields = { ...about, outcome: outcomeClass, status, code }
  reportForgottenCall(tools, fields, ended)
  const ms = clock.monotonicMs() - since.monotonicMs
  const times = { waitedMs: sentMs - askedMs, answerMs: answeredMs - sentMs, ownMs: ms - (answeredMs - askedMs) }
  return { outcome, fields, ms: Math.round(ms), times }
}

/**
 * Less than the margin that the ledger adds to a call's deadline before it assumes that the call was lost
 * (src/ledger/attempts/commit-claim.ts).
 */
const marginMs = 10_000
const retryCurve = { baseMs: 100, capMs: 2_000 }

/**
 * Calls `write`, which writes the outcome of a call, until it succeeds, for as long as the ledger waits for the
 * outcome: a database that restarts needs a few seconds. Only this process knows the outcome; if it is not written, it
 * stays unknown forever. Writing an outcome twice, or too late, changes nothing in the ledger.
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
