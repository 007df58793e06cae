// Makes a call that changes something in the service, once. Only the process that has committed the claim makes the
// call, within seconds and after the claim is recorded outside the ledger; then the outcome is written. Used for
// invitations and revocations.

import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { SendOptions } from '#src/issuer/sending/send-change.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import type { EndedCall } from '#src/ledger/attempts/outcomes.ts'
import type { CallTimes } from '#src/platform/limits/call-places.ts'
import type { EventFields } from '#src/platform/log/events.ts'
import { momentOf, stillFresh } from '#src/platform/time/still-fresh.ts'
import { callOnceMarked, reportForgottenCall } from './high-water-mark.ts'
import type { Tools } from './job-tools.ts'
import { persistOutcome } from './persist-outcome.ts'

export type SendTools = Pick<Tools, 'ledger' | 'issuer' | 'mark' | 'log' | 'clock' | 'tuning'>

export interface CallToSend {
  /** Ids for the log. */
  about: EventFields
  /** Resolves to null if nothing may be sent. */
  claim: () => Promise<CommittedClaim | null>
  send: (options: SendOptions) => Promise<Outcome>
  /** Decides once what the outcome means. @returns a function that writes it, called until the database accepts it */
  onOutcome: (outcome: Outcome, claimed: CommittedClaim) => Promise<() => Promise<EndedCall>>
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
export async function sendOnce(
  tools: SendTools,
  { about, claim, send, onOutcome }: CallToSend,
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
  const ended = await persistOutcome(tools, since.monotonicMs, await onOutcome(outcome, claimed))
  const { class: outcomeClass, status, code } = outcome
  const fields = { ...about, outcome: outcomeClass, status, code }
  reportForgottenCall(tools, fields, ended)
  const ms = clock.monotonicMs() - since.monotonicMs
  const times = { waitedMs: sentMs - askedMs, answerMs: answeredMs - sentMs, ownMs: ms - (answeredMs - askedMs) }
  return { outcome, fields, ms: Math.round(ms), times }
}
