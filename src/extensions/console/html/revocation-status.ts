// What pages say about the revocation of a credential. Pure.

import { revocationStatus } from '#src/issuing/descriptions/revocation-status.ts'
import type { Revocation } from '#src/ledger/revocations/revocation.ts'
import { html, type Markup } from './markup.ts'
import { sentence } from './sentences.ts'
import type { ShownTimes } from './times.ts'

/** What to do about a credential that nobody requested. */
export const surplusAdvice =
  'Look the person up in the portal of the service. An operator can revoke the credential that is too many (`credsync revoke`).'

/** Who requested the last revocation of a credential, and what became of it. */
export const revocationFact = (last: Revocation, times: ShownTimes): Markup =>
  html`requested by ${last.by}${reason(last.why)}${last.correctionBy !== null && html`, the correction by ${last.correctionBy}${reason(last.correctionWhy)}`}: ${sentence(revocationState(last), times)}`

const reason = (why: string | null): Markup => (why ? html` (${why})` : null)

/** As the commands describe it, except for a call that has not been tried yet: here a worker makes it. */
export const revocationState = (last: Revocation): string =>
  last.state === 'wanted' && last.outcome === null ? 'not sent yet; a worker makes the call' : revocationStatus(last)
