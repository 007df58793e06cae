// Text for the pages of the console: sentences of the commands as markup, the links between the pages of a long list,
// and the words for revocations. Pure.

import { revocationStatus } from '#src/issuing/descriptions/revocation-status.ts'
import type { Revocation } from '#src/ledger/revocations/revocation.ts'
import { oneLine } from '#src/platform/text.ts'
import { html, type Markup } from './markup.ts'
import type { ShownTimes } from './times.ts'

const marked = /`([^`]+)`|(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z| UTC)/g

/** A sentence of the commands as markup: what is in backticks becomes code, and times get the console's time zone. */
export function sentence(text: string, times: ShownTimes): Markup {
  const line = oneLine(text)
  const pieces: Markup[] = []
  let from = 0
  for (const match of line.matchAll(marked)) {
    const [whole, code, day, time] = match
    pieces.push(html`${line.slice(from, match.index)}`)
    const at = new Date(`${day}T${time}Z`)
    if (code !== undefined) pieces.push(html`<code>${code}</code>`)
    else pieces.push(Number.isNaN(at.getTime()) ? html`${whole}` : times.at(at))
    from = match.index + whole.length
  }
  return [...pieces, html`${line.slice(from)}`]
}

/** Makes a sentence of a clause that the commands put inside a line. An issuance id such as i42 stays as it is. */
export function asSentence(clause: string): string {
  const [first = '', ...rest] = clause
  const begin = /^i\d/.test(clause) ? first : first.toUpperCase()
  return `${begin}${rest.join('')}${/[.!?:]$/.test(clause) ? '' : '.'}`
}

/**
 * The order of a list: the parameter of its address that says where a page begins, and the words of the links to the
 * first and the next page.
 */
interface PageOrder {
  parameter: string
  first: string
  next: string
}

const newestFirst: PageOrder = { parameter: 'before', first: 'Newest', next: 'Older' }
export const oldestFirst: PageOrder = { parameter: 'after', first: 'Oldest', next: 'Newer' }

/**
 * The links to the first and the next page of a long list. A page has no number and knows no total: the next one begins
 * where this one ends.
 * @param cursor where the next page begins; null if this is the last one
 */
export function pager(address: string, query: URLSearchParams, cursor: string | null, order = newestFirst): Markup {
  const { parameter } = order
  const link = (to: string | null) => {
    const next = new URLSearchParams(query)
    if (to === null) next.delete(parameter)
    else next.set(parameter, to)
    return `${address}${next.size > 0 ? `?${next}` : ''}`
  }
  const first = query.get(parameter) !== null && html`<a href="${link(null)}">${order.first}</a>`
  const next = cursor !== null && html`<a href="${link(cursor)}" rel="next">${order.next}</a>`
  return (first || next) && html`<nav class="pager" aria-label="Pages">${first}${next}</nav>`
}

/** What to do about a credential that nobody requested. */
export const surplusWords = 'An operator can revoke the credential that is too many: search for its id under People.'

/** Who asked for the last revocation of a credential, and what became of it. */
export const revocationWords = (last: Revocation, times: ShownTimes): Markup =>
  html`asked for by ${last.by}${reason(last.why)}${last.correctionBy !== null && html`, the correction by ${last.correctionBy}${reason(last.correctionWhy)}`}: ${sentence(revocationState(last), times)}`

const reason = (why: string | null): Markup => (why ? html` (${why})` : null)

/** The words of the commands, except for a call that has not been tried yet: here a worker makes it. */
export const revocationState = (last: Revocation): string =>
  last.state === 'wanted' && last.outcome === null ? 'not sent yet; a worker makes the call' : revocationStatus(last)
