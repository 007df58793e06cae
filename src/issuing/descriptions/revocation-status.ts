// Describes the state of a revocation, and why one needs a decision. Pure.

import type { Revocation, RevocationState } from '#src/ledger/revocations/revocation.ts'
import type { RevocationToDecide } from '#src/ledger/revocations/revocation-targets.ts'

/** Describes the state of a revocation, and what to do next. */
export function revocationStatus(revocation: Pick<Revocation, 'state' | 'status' | 'words' | 'doubt'>): string {
  const { state, status, words, doubt } = revocation
  const message = words ? `: ${words}` : ''
  const sentences: Record<RevocationState, string> = {
    wanted:
      'not sent yet: the service could not be reached, or throttled the call. `credsync start` or the same command tries it again',
    sending: 'being sent by another process',
    unconfirmed:
      'the outcome of the call is unknown; the report decides, and is read again while `credsync start` runs or by `credsync reconcile`',
    accepted: 'revoked: the service accepted it; the report will show the date',
    refused: `the service refused it (${status ?? 'no status'})${message}`,
    not_applied: 'the report proves that it was not applied; it may be revoked again',
    seen: 'revoked: the report shows it',
  }
  return doubt ? `${sentences[state]}; ${doubt}` : sentences[state]
}

/** Returns a clause that explains why an operator should look at the revocation. */
export function whyToDecide({ state, words, doubt }: Pick<RevocationToDecide, 'state' | 'words' | 'doubt'>): string {
  const because: Partial<Record<RevocationState, string>> = {
    not_applied: 'the report proves that it was not applied',
    refused: `the service refused it: ${words}`,
  }
  return doubt ?? because[state] ?? state
}
