// The links between the pages of a long list. A page has no number and knows no total: the next one begins where this
// one ends.

import { html, type Markup } from './markup.ts'

/** The order of a list: where its address says where a page begins, and what leads to its first and its next page. */
export interface PageOrder {
  parameter: string
  first: string
  next: string
}

export const newestFirst: PageOrder = { parameter: 'before', first: 'Newest', next: 'Older' }
export const oldestFirst: PageOrder = { parameter: 'after', first: 'Oldest', next: 'Newer' }

/** @param cursor where the next page begins; null if this is the last one */
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
