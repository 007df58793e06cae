// Derives the findings of a probe from the service's responses and from what the report shows afterwards. The tables in
// the test are the specification. Pure.

import type { OutcomeClass } from '#src/domain/credential/outcome-class.ts'
import type { Findings } from '#src/ledger/probes.ts'

/** The part of an invitation's outcome that the findings depend on. */
export interface ProbeAnswer {
  class: OutcomeClass
  /** The service's message, in which the values that were sent are masked. */
  words: string
}

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

/**
 * Derives what happens to a batch of a good, a bad and another good recipient.
 * @param shown which of the recipients the report shows
 */
export function badRecipientFrom(
  answer: ProbeAnswer,
  shown: { good: readonly boolean[]; bad: boolean },
  control: boolean,
  broke: string,
): Findings['badRecipient'] {
  const { words } = answer
  const good = shown.good.filter(Boolean).length
  const finding = (verdict: 'all refused' | 'good taken' | 'all taken' | 'part taken' | 'all dropped') => ({
    found: { verdict, broke, words },
  })
  if (good === shown.good.length && shown.bad) return finding('all taken')
  if (!control) return { undetermined: noControl }
  if (good === shown.good.length) return finding('good taken')
  if (good > 0 || shown.bad) return finding('part taken')
  const doubt = doubtOf(answer, control)
  if (doubt) return { undetermined: doubt }
  return finding(answer.class === 'accepted' ? 'all dropped' : 'all refused')
}

/** Returns the reason why absence from the report proves nothing; null if it is proof. */
function doubtOf(answer: ProbeAnswer, control: boolean): string | null {
  if (answer.class === 'throttled') return 'the service throttled the call (429)'
  if (answer.class === 'unauthorised') return 'the service refused our keys (401)'
  if (answer.class !== 'accepted' && answer.class !== 'refused')
    return `the outcome of the call is ${answer.class.replace('_', ' ')}`
  return control ? null : noControl
}

/**
 * One requested page: the rows requested, the rows received, the total of matching rows, and the page size according to
 * the pager.
 */
export interface RequestedPage {
  requested: number
  received: number
  matching: number | null
  pager: number | null
}

/**
 * Derives the largest page size from requests in ascending order of size. The number of rows received is more reliable
 * than the pager, which may just repeat the requested size.
 */
export function largestPage(pages: readonly RequestedPage[]): Findings['page'] {
  const cut = pages.find(
    ({ requested, received, matching }) =>
      received < requested && matching !== null && matching > received && received > 0,
  )
  if (cut) return { found: { largest: cut.received, seenBy: 'rows', capped: true } }
  // If the pager's number equals the total of matching rows, it says nothing about the largest page size.
  const capped = pages.find(
    ({ requested, pager, matching }) => pager !== null && pager > 0 && pager < requested && pager !== matching,
  )
  if (capped) return { found: { largest: capped.pager ?? 0, seenBy: 'pager', capped: true } }
  const echoed = pages.findLast(({ requested, pager }) => pager === requested)
  const full = pages.findLast(({ requested, received }) => received >= requested)
  if (full && full.requested >= (echoed?.requested ?? 0))
    return { found: { largest: full.requested, seenBy: 'rows', capped: false } }
  if (echoed) return { found: { largest: echoed.requested, seenBy: 'pager', capped: false } }
  return { undetermined: 'the report has too few rows to fill a page, and its pager does not give the page size' }
}
