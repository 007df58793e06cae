// The error for a Moodle site that is unavailable: try again later. It says nothing about the record, the token or the
// course. Pure.

import { MoodleError } from './moodle-error.ts'

export class MoodleAwayError extends MoodleError {
  override name = 'MoodleAwayError'
  /** The delay that a Retry-After header requested, in milliseconds; null without the header. */
  readonly retryAfterMs: number | null

  /** @param seen a network code, `HTTP 503`, or an errorcode */
  constructor(calledFunction: string, seen: string, retryAfterMs: number | null = null) {
    super(calledFunction, seen, `Moodle sent no usable response to ${calledFunction} (${seen}). ${nextStep(seen)}.`)
    this.retryAfterMs = retryAfterMs
  }

  get failure() {
    const { errorcode: code, retryAfterMs } = this
    return { kind: 'away' as const, isOfCourse: false, code, retryAfterMs }
  }
}

function nextStep(seen: string): string {
  if (/^HTTP 3/.test(seen))
    return "Check the url of the system, since redirects are not followed: the url must be the site's own address, with https if the site supports it"
  if (/^HTTP (404|405|410)/.test(seen))
    return 'Check the url of the system, to which /webservice/rest/server.php is appended'
  if (/^HTTP 403/.test(seen))
    return 'Check that web services and the REST protocol are enabled in Moodle, and that no proxy or firewall in front of Moodle blocks the call'
  const later = 'Try again later; if the problem persists,'
  if (/^unexpected response/.test(seen))
    return `${later} compare the version of Moodle with the versions in the documentation`
  return `${later} check whether Moodle is running, being upgraded, or in maintenance mode`
}
