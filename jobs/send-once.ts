// Makes a call that changes something in the service, once. Only the process that has committed the claim makes the
// call, within seconds and after the claim is recorded outside the ledger; then the outcome is written. Used for
// invitations and revocations.

import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { SendOptions } from '#src/issuer/sending/send-change.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import type { EndedCall } from '#src/ledger/attempts/outcomes.ts'
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

/**
 * @returns null if nothing was claimed; `fields` is what may be logged about the call, `ms` its duration including the
 * claim
 */
export async function sendOnce(
  tools: SendTools,
  { about, claim, send, onOutcome }: CallToSend,
): Promise<{ outcome: Outcome; fields: EventFields; ms: number } | null> {
  const { issuer, tuning, clock } = tools
  // Gets the token first, because a claimed call must not wait for one.
  await issuer.checkToken()
  // Taken before the claim, because the process may be frozen while it commits.
  const since = momentOf(clock)
  const claimed = await claim()
  if (!claimed) return null
  const mayStillSend = () => stillFresh(since, momentOf(clock), freshMs)
  const options = { deadlineMs: tuning.deadlineMs, mayWaitMs: freshMs, mayStillSend }
  const outcome = await callOnceMarked(tools, claimed, () => send(options))
  const ended = await persistOutcome(tools, since.monotonicMs, await onOutcome(outcome, claimed))
  const { class: outcomeClass, status, code } = outcome
  const fields = { ...about, outcome: outcomeClass, status, code }
  reportForgottenCall(tools, fields, ended)
  return { outcome, fields, ms: Math.round(clock.monotonicMs() - since.monotonicMs) }
}
