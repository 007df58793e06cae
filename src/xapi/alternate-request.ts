// The alternate request syntax of 1.0.x, for browsers that can neither PUT nor set headers: everything is inside of a form (xAPI 1.0.3,
// Communication 1.3). 2.0 has dropped it.

import { editionOf, versionHeader } from './edition.ts'
import { mediaTypeOf } from './media-type.ts'
import type { XapiRequest } from './receiver.ts'

const headerFields = ['authorization', versionHeader, 'content-type', 'content-length', 'if-match', 'if-none-match']

/** More than there are parameters and headers together. Nobody has proven who they are yet: hundreds of thousands of fields would take a minute. */
const mostFields = 50

/** The request inside of the form. What is no such form stays as it came, and is then refused for its parameter `method`. */
export function meantBy(sent: XapiRequest): XapiRequest {
  const method = sent.query.get('method')
  const isForm = mediaTypeOf(sent.headers['content-type'] ?? '') === 'application/x-www-form-urlencoded'
  if (sent.method !== 'POST' || method === null || sent.query.size !== 1 || !isForm) return sent
  const text = sent.body.toString('utf8')
  if (text.split('&', mostFields + 1).length > mostFields) return sent
  const form = new URLSearchParams(text)
  if (new Set(form.keys()).size < form.size) return sent
  const headers: Record<string, string | undefined> = { ...sent.headers, 'content-type': 'application/json' }
  const query = new URLSearchParams()
  for (const [name, value] of form) {
    const field = name.toLowerCase()
    if (headerFields.includes(field)) headers[field] = value
    else if (name !== 'content') query.set(name, value)
  }
  if (editionOf(headers[versionHeader] ?? '') !== '1.0') return sent
  return { ...sent, method, query, headers, body: Buffer.from(form.get('content') ?? '') }
}
