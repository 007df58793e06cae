// Moodle cannot answer just now: ask again later. Nothing was learnt about the record, the token or the course.

import { MoodleError } from './moodle-error.ts'

export class MoodleAwayError extends MoodleError {
  override name = 'MoodleAwayError'
  /** Milliseconds that a Retry-After header asked for; null without one. */
  readonly retryAfterMs: number | null

  /** `seen`: a network code, `HTTP 503`, or an errorcode. */
  constructor(calledFunction: string, seen: string, retryAfterMs: number | null = null) {
    super(
      calledFunction,
      seen,
      `Moodle gave no usable answer to ${calledFunction} (${seen}). Ask again later; if it stays so, ${nextStep(seen)}.`,
    )
    this.retryAfterMs = retryAfterMs
  }
}

function nextStep(seen: string): string {
  if (/^HTTP 3/.test(seen))
    return "check the url of the system, since redirects are not followed: it is the site's own address, with https where it has that"
  if (/^HTTP (404|405|410)/.test(seen))
    return 'check the url of the system: /webservice/rest/server.php is looked for below it'
  if (/^HTTP 403/.test(seen))
    return 'check that web services and the REST protocol are enabled in Moodle, and what stands in front of it'
  if (/^unexpected answer/.test(seen)) return 'compare the version of Moodle with what the documentation names'
  return 'check whether Moodle runs, is being upgraded or is in maintenance'
}
