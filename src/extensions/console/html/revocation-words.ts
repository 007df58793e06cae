// What became of the last revocation of a credential. Pure.

import { revocationStatus } from '#src/issuing/descriptions/revocation-status.ts'
import type { Revocation } from '#src/ledger/revocations/revocation.ts'
import { html, type Markup } from './markup.ts'
import { sentence } from './sentences.ts'
import type { ShownTimes } from './times.ts'

export const revocationWords = (last: Revocation, times: ShownTimes): Markup =>
  html`asked for by ${last.by}${reason(last.why)}${last.correctionBy !== null && html`, the correction by ${last.correctionBy}${reason(last.correctionWhy)}`}: ${sentence(revocationState(last), times)}`

const reason = (why: string | null): Markup => (why ? html` (${why})` : null)

/** The words of the commands, except for a call that nobody has tried yet: here a worker makes it. */
export const revocationState = (last: Revocation): string =>
  last.state === 'wanted' && last.outcome === null ? 'not sent yet; a worker makes the call' : revocationStatus(last)
