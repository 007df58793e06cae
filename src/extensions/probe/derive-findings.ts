// Derives what happens to a recipient who is sent twice, from the service's responses and from what the report shows
// afterwards. The table in the test is the specification. Pure.

import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { Findings } from '#src/ledger/probes.ts'

/** The part of an invitation's outcome that the findings depend on. */
export type ProbeAnswer = Pick<Outcome, 'class' | 'words'>

const noControl =
  'the report did not show a recipient that was sent afterwards within the timeout, so absence from the report proves nothing'

/**
 * Derives what happens if a recipient is sent a second time.
 * @param items the number of the recipient's items in the report before and after the second sending
 * @param control whether a recipient that was sent alone afterwards was accepted and is shown
 */
export function duplicatesFrom(
  answer: ProbeAnswer,
  items: { before: number; after: number },
  control: boolean,
): Findings['duplicates'] {
  const { words } = answer
  if (items.after > items.before) return { found: { verdict: 'issued twice', words } }
  const doubt = doubtOf(answer, control)
  if (doubt) return { undetermined: doubt }
  if (answer.class === 'accepted') return { found: { verdict: 'ignored', words } }
  // A refusal without a message can have any reason.
  if (words === '') return { undetermined: 'it was refused without a reason' }
  return { found: { verdict: 'refused', words } }
}

/** Returns the reason why absence from the report proves nothing; null if it is proof. */
function doubtOf(answer: ProbeAnswer, control: boolean): string | null {
  if (answer.class === 'throttled') return 'the service throttled the call (429)'
  if (answer.class === 'unauthorised') return 'the service refused our keys (401)'
  if (answer.class !== 'accepted' && answer.class !== 'refused')
    return `the outcome of the call is ${answer.class.replace('_', ' ')}`
  return control ? null : noControl
}
