// Classifies failed calls to a platform: either an operator must act, or the call can be retried later. Messages name
// the platform's host and the next step, but never a token, a key, a learner, or text from the platform. Pure.

import type { LmsResponse } from '#src/platform/http/http-client.ts'
import { isSuccessStatus, parseRetryAfter } from '#src/platform/retry-after.ts'

export type LtiFailure =
  /**
   * Every call will fail until an operator acts: stop calling this platform and alert the operator. `why` is the
   * message for the operator.
   */
  | { kind: 'refused'; why: string }
  /** `afterMs` is the wait in milliseconds, if the platform requested one. */
  | { kind: 'later'; afterMs?: number; why: string }

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'the platform'
}

export function isSuccess(answer: LmsResponse): answer is LmsResponse & { kind: 'answer' } {
  return answer.kind === 'answer' && isSuccessStatus(answer.status)
}

/**
 * Classifies a failed call, or a response with a status other than 2xx. Worth retrying are 408, 425 (RFC 8470), 429
 * (RFC 6585) and every 5xx.
 */
export function classifyLtiFailure(answer: LmsResponse, url: string, now: Date): LtiFailure {
  const host = hostOf(url)
  if (answer.kind === 'failed') return { kind: 'later', why: `${host} did not respond (${answer.code}).` }
  const { status } = answer
  if (status >= 500 || [408, 425, 429].includes(status)) {
    const afterMs = parseRetryAfter(answer.headers['retry-after'], now)
    return { kind: 'later', why: `${host} returned HTTP ${status}.`, ...(afterMs !== null && { afterMs }) }
  }
  return { kind: 'refused', why: refusalOf(status, host) }
}

/**
 * For a response that cannot be parsed: it probably comes from a proxy, or the platform is being updated. Both are
 * temporary.
 */
export function unreadable(url: string, what: string): LtiFailure {
  return { kind: 'later', why: `The response from ${hostOf(url)} is not ${what}.` }
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
