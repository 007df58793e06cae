// The error that every failed call to an LTI platform throws. Its message names the platform's host and the next step,
// but never a token, a key, a learner, or text from the platform. Pure.

import type { LmsResponse } from '#src/platform/http/http-client.ts'
import { LmsError } from '#src/platform/http/lms-error.ts'
import { isSuccessStatus, parseRetryAfter } from '#src/platform/retry-after.ts'

export class LtiError extends LmsError {
  override name = 'LtiError'
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'the platform'
}

export function isSuccess(answer: LmsResponse): answer is LmsResponse & { kind: 'answer' } {
  return answer.kind === 'answer' && isSuccessStatus(answer.status)
}

/**
 * Returns the error for a failed call, or for a response with a status other than 2xx. Worth retrying are 408, 425 (RFC
 * 8470), 429 (RFC 6585) and every 5xx.
 */
export function failedCall(answer: LmsResponse, url: string, now: Date): LtiError {
  const host = hostOf(url)
  const retried = 'Check that the platform can be reached from this machine; the call is retried automatically.'
  if (answer.kind === 'failed') return new LtiError('away', `${host} did not respond (${answer.code}). ${retried}`)
  const { status } = answer
  if (status < 500 && ![408, 425, 429].includes(status))
    return new LtiError('refused', refusalOf(status, host), { status })
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], now)
  return new LtiError('away', `${host} returned HTTP ${status}. ${retried}`, { status, retryAfterMs })
}

/**
 * Returns the error for a response that cannot be parsed: it probably comes from a proxy, or the platform is being
 * updated. Both are temporary.
 */
export function unreadable(url: string, what: string): LtiError {
  return new LtiError('away', `The response from ${hostOf(url)} is not ${what}. Try again later.`)
}

function refusalOf(status: number, host: string): string {
  if (status === 401)
    return `${host} does not accept the token that it has just issued (HTTP 401). Check that the tool is still registered and is allowed to use Assignment and Grade Services.`
  if (status === 403)
    return `${host} denies this tool access (HTTP 403). Grant the tool access to Assignment and Grade Services, and check that the line item was created for this tool.`
  if (status === 404 || status === 410)
    return `${host} no longer has anything at the address of the line item (HTTP ${status}): the line item or its course was deleted. Check whether the column still exists in the gradebook, and set \`lineItem\` in writeBack to the address of the new column.`
  if (status < 400)
    return `${host} redirects to another address (HTTP ${status}). Change the address in the settings to the one that ${host} redirects to.`
  return `${host} returned HTTP ${status}, which is not a valid response from an Assignment and Grade Service. Check the address in the settings.`
}
