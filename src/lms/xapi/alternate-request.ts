// Unpacks the alternate request syntax of 1.0.x for browsers that can neither PUT nor set headers: a form contains the
// whole request (xAPI 1.0.3, Communication 1.3). 2.0 removed this syntax. Pure.

import { editionOf, versionHeader } from './edition.ts'
import { mediaTypeOf } from './media-type.ts'
import type { XapiRequest } from './request.ts'

const headerFields = ['authorization', versionHeader, 'content-type', 'content-length', 'if-match', 'if-none-match']

/**
 * More than the number of all parameters and headers. The sender is not authenticated yet, and parsing hundreds of
 * thousands of fields would take a minute.
 */
const maxFields = 50

/** True when the headers and parameters, including the credentials, may be in the body of the request. */
export function mayBeInForm({ method, query, headers }: Omit<XapiRequest, 'body'>): boolean {
  const isForm = mediaTypeOf(headers['content-type']) === 'application/x-www-form-urlencoded'
  return method === 'POST' && query.has('method') && query.size === 1 && isForm
}

/**
 * Returns the request that the form contains. Any other request is returned unchanged, and is refused later because of
 * its parameter `method`.
 */
export function requestInForm(sent: XapiRequest): XapiRequest {
  const method = sent.query.get('method')
  if (method === null || !mayBeInForm(sent)) return sent
  const text = sent.body.toString('utf8')
  if (text.split('&', maxFields + 1).length > maxFields) return sent
  const form = new URLSearchParams(text)
  if (new Set(form.keys()).size < form.size) return sent
  const headers: Record<string, string | undefined> = { ...sent.headers, 'content-type': 'application/json' }
  const query = new URLSearchParams()
  for (const [name, value] of form) {
    const field = name.toLowerCase()
    if (headerFields.includes(field)) headers[field] = value
    else if (name !== 'content') query.set(name, value)
  }
  if (editionOf(headers[versionHeader]) !== '1.0') return sent
  return { ...sent, method, query, headers, body: Buffer.from(form.get('content') ?? '') }
}
