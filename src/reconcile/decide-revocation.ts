// What an answer to a revocation means, and what the report says about one. Pure; the tables in the test are the specification.
//
// A revocation is never repeated by itself where the service may have heard of it: that a second one is harmless is not documented.

import type { RevocationState } from '#src/ledger/revocation.ts'

/** The part of src/issuer's Outcome that is judged. */
export interface AnsweredRevocation {
  class: 'not_sent' | 'throttled' | 'too_large' | 'refused' | 'accepted' | 'unknown'
  authRefused: boolean
  retryAfterMs: number | null
}

const waitNotSentMs = 5_000
const waitThrottledMs = 1_000
const waitKeysMs = 60_000

/** Where it goes from `sending`; `waitMs` until it is sent again, for one that was surely not applied. */
export function afterRevoking(answer: AnsweredRevocation): { state: RevocationState; waitMs: number } {
  const { class: said, retryAfterMs } = answer
  if (said === 'accepted') return { state: 'accepted', waitMs: 0 }
  if (said === 'not_sent') return { state: 'wanted', waitMs: retryAfterMs ?? waitNotSentMs }
  if (said === 'throttled') return { state: 'wanted', waitMs: retryAfterMs ?? waitThrottledMs }
  if (said === 'refused' && answer.authRefused) return { state: 'wanted', waitMs: waitKeysMs }
  if (said === 'unknown') return { state: 'unconfirmed', waitMs: 0 }
  return { state: 'refused', waitMs: 0 }
}

/** What a search by its credential_id shows: the credential with its date of revocation, without one, or not at all. */
export type ShownCredential = 'revoked' | 'valid' | 'nothing'

/**
 * Where it goes when the report was asked; `to` null: it stays. A credential that is shown without a date once the grace is over was not revoked:
 * that it is shown at all proves that the search found it.
 * @param readAt when the report was asked, and `overAt` when the call was over; both on the database's clock
 */
export function whenLooked(
  revocation: { state: RevocationState; overAt: Date | null; readAt: Date },
  shown: ShownCredential,
  graceMs: number,
): { to: RevocationState | null; doubt: string | null } {
  if (shown === 'revoked') return { to: 'seen', doubt: null }
  const { state, overAt, readAt } = revocation
  const isOver = overAt !== null && readAt.getTime() >= overAt.getTime() + graceMs
  if (!isOver || state === 'refused') return { to: null, doubt: null }
  if (shown === 'nothing') return { to: null, doubt: 'the report does not show this credential at all' }
  if (state === 'unconfirmed') return { to: 'not_applied', doubt: null }
  return { to: null, doubt: 'the service accepted the revocation, and the report still shows the credential as valid' }
}
