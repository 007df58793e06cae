// Decides what the outcome of a revocation call means, and what the report shows about a revocation. The tables in the
// test are the specification. Pure.
//
// A revocation that the service may have received is never repeated automatically, because it is not documented that
// repeating it is harmless.

import type { OutcomeClass } from '#src/domain/credential/outcome-class.ts'
import type { RevocationState } from '#src/ledger/revocations/revocation.ts'
import { waitKeysMs, waitNotSentMs, waitThrottledMs } from './decide-after-sending.ts'

/** The part of Outcome (src/issuer/sending/outcome.ts) that is needed here. */
export interface AnsweredRevocation {
  class: OutcomeClass
  retryAfterMs: number | null
}

/**
 * Returns the state after `sending`, and how long to wait before a revocation that was certainly not applied is sent
 * again.
 */
export function afterRevoking(answer: AnsweredRevocation): { state: RevocationState; waitMs: number } {
  const { class: outcome, retryAfterMs } = answer
  if (outcome === 'accepted') return { state: 'accepted', waitMs: 0 }
  if (outcome === 'not_sent') return { state: 'wanted', waitMs: retryAfterMs ?? waitNotSentMs }
  if (outcome === 'throttled') return { state: 'wanted', waitMs: retryAfterMs ?? waitThrottledMs }
  if (outcome === 'unauthorised') return { state: 'wanted', waitMs: waitKeysMs }
  if (outcome === 'unknown') return { state: 'unconfirmed', waitMs: 0 }
  return { state: 'refused', waitMs: 0 }
}

/**
 * What a search by credential_id shows: the credential with a revocation date, the credential without one, or nothing.
 */
export type CredentialInReport = 'revoked' | 'valid' | 'nothing'

/**
 * Returns the state after the credential was looked up in the report; `to` is null if the state does not change. A
 * credential that is shown without a revocation date after the grace period was not revoked, because the search found
 * it and therefore works.
 * @param revocation.readAt when the report was read. `overAt` is when the call ended. Both are times on the database's
 * clock
 */
export function afterLookup(
  revocation: { state: RevocationState; overAt: Date | null; readAt: Date },
  shown: CredentialInReport,
  graceMs: number,
): { to: RevocationState | null; doubt: string | null } {
  if (shown === 'revoked') return { to: 'seen', doubt: null }
  const { state, overAt, readAt } = revocation
  const isOver = overAt !== null && readAt.getTime() >= overAt.getTime() + graceMs
  if (!isOver || state === 'refused') return { to: null, doubt: null }
  if (shown === 'nothing') return { to: null, doubt: 'the report does not show this credential' }
  if (state === 'unconfirmed') return { to: 'not_applied', doubt: null }
  return { to: null, doubt: 'the service accepted the revocation, and the report still shows the credential as valid' }
}
