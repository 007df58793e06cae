// A line item (one gradebook column of a platform that a tool may write to), the URLs of its scores and results, and
// the URLs to which a token may be sent. LTI Assignment and Grade Services 2.0, 3.2 to 3.4. Pure.

import { z } from 'zod'

export interface LineItem {
  /** The URL of the line item (`id` in the JSON). The URLs of its scores and results start with it. */
  url: string
  label: string
  scoreMaximum: number
}

export const lineItemShape = z
  .object({
    id: z.string(),
    label: z.union([z.string(), z.number().transform(String)]).catch(''),
    scoreMaximum: z.number(),
  })
  .transform(({ id, ...shown }): LineItem => ({ url: id, ...shown }))

export const lineItemsType = 'application/vnd.ims.lis.v2.lineitemcontainer+json'

export function scoresUrl(lineItem: URL): string {
  return withPathSuffix(lineItem, 'scores').href
}

export function resultsUrl(lineItem: URL, userId: string): string {
  const url = withPathSuffix(lineItem, 'results')
  url.search = `${url.search}${url.search ? '&' : '?'}user_id=${encodeURIComponent(userId)}`
  return url.href
}

/**
 * If the line item's URL has a query (Moodle's has `?type_id=1`), the query is kept after the longer path: LTI
 * Assignment and Grade Services 2.0, 3.3 and 3.4.
 */
function withPathSuffix(lineItem: URL, name: string): URL {
  const url = new URL(lineItem)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`
  url.hash = ''
  return url
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the parsed URL if a token may be sent to it: https, or http on this machine, without a user name or password.
 * Otherwise null.
 */
export function safeAddress(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || url.username || url.password) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname)) ? url : null
}
