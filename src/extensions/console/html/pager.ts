// The links between the pages of a long list. Pure.

import { html, type Markup } from './markup.ts'

/**
 * The links to the first and the next page. A page has no number and knows no total: the next one begins where this one
 * ends.
 * @param cursor where the next page begins; null if this is the last one
 * @param parameter of the address, which says where a page begins
 */
export function pager(address: string, query: URLSearchParams, cursor: string | null, parameter = 'before'): Markup {
  const link = (to: string | null) => {
    const next = new URLSearchParams(query)
    if (to === null) next.delete(parameter)
    else next.set(parameter, to)
    return `${address}${next.size > 0 ? `?${next}` : ''}`
  }
  const first = query.get(parameter) !== null && html`<a href="${link(null)}">First page</a>`
  const next = cursor !== null && html`<a href="${link(cursor)}" rel="next">Next page</a>`
  return (first || next) && html`<nav class="pager" aria-label="Pages">${first}${next}</nav>`
}
