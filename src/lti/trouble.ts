// Why a call to a platform has not done its work, in two kinds: an operator must look, or it can be tried again later.
// The sentences name the platform's host and the next step; never a token, a key, a learner, or words of the platform.

import { parseRetryAfter } from '#src/retry/retry-after.ts'
import type { Heard } from './wire.ts'

export type Trouble =
  /** Nothing will go until somebody has looked: stop this platform, and raise the alarm. `why` is a sentence for the operator. */
  | { kind: 'refused'; why: string }
  /** Milliseconds that the platform asked to be left alone, where it said so. */
  | { kind: 'later'; afterMs?: number; why: string }

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'the platform'
}

export function isTaken(heard: Heard): heard is Heard & { kind: 'answer' } {
  return heard.kind === 'answer' && heard.status >= 200 && heard.status < 300
}

/**
 * What an answer means that is none of the 200s, or that did not come. RFC 9110 15: the 4xx that pass by themselves are 408, 425 and 429, and
 * so does every 5xx.
 */
export function troubleOf(heard: Heard, url: string, now: Date): Trouble {
  const host = hostOf(url)
  if (heard.kind === 'failed') return { kind: 'later', why: `${host} gave no answer (${heard.code}).` }
  const { status } = heard
  if (status >= 500 || [408, 425, 429].includes(status)) {
    const afterMs = parseRetryAfter(heard.headers['retry-after'], now)
    return { kind: 'later', why: `${host} answered ${status}.`, ...(afterMs !== null && { afterMs }) }
  }
  return { kind: 'refused', why: refusalOf(status, host) }
}

/** Something between us and the platform answered, or the platform is being changed: that passes. */
export function unreadable(url: string, what: string): Trouble {
  return { kind: 'later', why: `${hostOf(url)} answered, but not with ${what}.` }
}

function refusalOf(status: number, host: string): string {
  if (status === 401)
    return `${host} does not accept the token that it gave a moment ago (401). See whether the tool is still registered, and may use Assignment and Grade Services.`
  if (status === 403)
    return `${host} forbids this tool to do that (403). Allow it Assignment and Grade Services, and check that the line item was made for this tool.`
  if (status === 404 || status === 410)
    return `${host} has nothing at this address any more (${status}): the line item or its course is gone. See whether the column was deleted from the gradebook, and put the address of the new one into the settings.`
  if (status < 400)
    return `${host} points to another address (${status}). Put the address that the platform itself uses into the settings.`
  return `${host} answered ${status}, which an Assignment and Grade Service does not. Check the address in the settings.`
}
