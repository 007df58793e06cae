// Lists what learning systems and other targets were told of forgotten people. credsync cannot delete it there. Pure.

import { countOf } from '#src/issuing/results/counted-noun.ts'
import type { DeliveredOutcome } from '#src/ledger/lms/empty-learning.ts'

/** A long list is in the JSON. */
const mostShown = 20

export function deliveredOutcomeLines(outcomes: readonly DeliveredOutcome[]): string[] {
  if (outcomes.length === 0) return []
  const more = outcomes.length - mostShown
  return [
    'Not ours to delete, what was delivered to:',
    ...outcomes
      .slice(0, mostShown)
      .map(
        ({ target, what, outcome, issuanceId, at }) =>
          `  ${target}: ${what} “${outcome}” of i${issuanceId}, ${at.toISOString().slice(0, 10)}`,
      ),
    ...(more > 0 ? [`  and ${countOf(more, 'outcome')} more; --json lists all`] : []),
  ]
}
