// What may be concluded from an answer and from what the report shows afterwards. Pure; the tables in the test are the specification.

import type { Findings } from '#src/ledger/probes.ts'

/** An invitation's outcome, as far as a verdict needs it. */
export interface Answered {
  class: 'not_sent' | 'throttled' | 'too_large' | 'refused' | 'accepted' | 'unknown'
  authRefused: boolean
  /** The service's words, masked, without the values that were sent. */
  words: string
}

const noControl =
  'a recipient sent afterwards did not show in the report within the timeout, so what is absent proves nothing'

/**
 * The same recipient was sent again.
 * @param items of that recipient in the report, before the second sending and after it
 * @param control whether a recipient that was sent later, alone, is accepted and shows
 */
export function duplicatesFrom(
  answered: Answered,
  items: { before: number; after: number },
  control: boolean,
): Findings['duplicates'] {
  const { words } = answered
  if (items.after > items.before) return { found: { verdict: 'issued twice', words } }
  const doubt = doubtOf(answered, control)
  if (doubt) return { undetermined: doubt }
  if (answered.class === 'accepted') return { found: { verdict: 'ignored', words } }
  // A refusal that says nothing may be one of anything.
  if (words === '') return { undetermined: 'it was refused without a word that says why' }
  return { found: { verdict: 'refused', words } }
}

/**
 * A batch of good, bad, good was sent.
 * @param shown which of them the report shows
 */
export function badRecipientFrom(
  answered: Answered,
  shown: { good: readonly boolean[]; bad: boolean },
  control: boolean,
  broke: string,
): Findings['badRecipient'] {
  const { words } = answered
  const good = shown.good.filter(Boolean).length
  const found = (verdict: 'all refused' | 'good taken' | 'all taken' | 'part taken' | 'all dropped') => ({
    found: { verdict, broke, words },
  })
  if (good === shown.good.length && shown.bad) return found('all taken')
  if (!control) return { undetermined: noControl }
  if (good === shown.good.length) return found('good taken')
  if (good > 0 || shown.bad) return found('part taken')
  const doubt = doubtOf(answered, control)
  if (doubt) return { undetermined: doubt }
  return found(answered.class === 'accepted' ? 'all dropped' : 'all refused')
}

/** Why absence says nothing here; null when it does. */
function doubtOf(answered: Answered, control: boolean): string | null {
  if (answered.class === 'throttled') return 'the service asked for patience (429)'
  if (answered.authRefused) return 'the service refused our keys (401)'
  if (answered.class !== 'accepted' && answered.class !== 'refused')
    return `the outcome of the call is ${answered.class.replace('_', ' ')}`
  return control ? null : noControl
}

/** One page that was asked for: how many rows, how many came, how many match, and what the pager calls a page. */
export interface AskedPage {
  asked: number
  came: number
  matching: number | null
  pager: number | null
}

/** The largest page, from pages asked for in rising size. Rows that came outweigh the pager, which may echo any wish. */
export function largestPage(pages: readonly AskedPage[]): Findings['page'] {
  const cut = pages.find(
    ({ asked, came, matching }) => came < asked && matching !== null && matching > came && came > 0,
  )
  if (cut) return { found: { largest: cut.came, seenBy: 'rows', capped: true } }
  // A pager that names the rows that came, where no more match, says nothing about how long a page may be.
  const said = pages.find(
    ({ asked, pager, matching }) => pager !== null && pager > 0 && pager < asked && pager !== matching,
  )
  if (said) return { found: { largest: said.pager ?? 0, seenBy: 'pager', capped: true } }
  const echoed = pages.findLast(({ asked, pager }) => pager === asked)
  const full = pages.findLast(({ asked, came }) => came >= asked)
  if (full && full.asked >= (echoed?.asked ?? 0))
    return { found: { largest: full.asked, seenBy: 'rows', capped: false } }
  if (echoed) return { found: { largest: echoed.asked, seenBy: 'pager', capped: false } }
  return { undetermined: 'the report has too few rows to fill a page, and its pager does not say how long one is' }
}
