// Reads one answer of Moodle's REST server: the JSON in it, or the error that it stands for. A pure function of what was heard.

import { parseRetryAfter } from '#src/retry/retry-after.ts'
import { judgeErrorcode } from './judge-errorcode.ts'
import { MoodleAwayError } from './moodle-away-error.ts'
import type { Heard } from './wire.ts'

/**
 * The parsed JSON of an answer to `calledFunction`, heard at `now`. Throws a MoodleError for an exception in it, and MoodleAwayError for
 * everything that is no JSON: a page of maintenance, the XML of a server that was not told the format, a cut answer, a gateway.
 * The class never comes from the status, since a real Moodle says HTTP 200 even with its database down; 502, 503 and 504 are
 * the exception, because then a gateway speaks and not Moodle.
 */
export function readAnswer(calledFunction: string, heard: Heard, now: Date): unknown {
  if (heard.kind === 'failed') throw new MoodleAwayError(calledFunction, networkCode(heard.code))
  const retryAfterMs = parseRetryAfter(heard.headers['retry-after'], now)
  if ([502, 503, 504].includes(heard.status))
    throw new MoodleAwayError(calledFunction, `HTTP ${heard.status}`, retryAfterMs)
  let value: unknown
  try {
    value = JSON.parse(heard.text)
  } catch {
    throw new MoodleAwayError(calledFunction, `HTTP ${heard.status} without JSON`, retryAfterMs)
  }
  const errorcode = errorcodeOf(value)
  if (errorcode !== null) throw judgeErrorcode(calledFunction, errorcode)
  if (heard.status >= 400) throw new MoodleAwayError(calledFunction, `HTTP ${heard.status}`, retryAfterMs)
  return value
}

/** The errorcode of a reported exception, empty when Moodle gave none; null for any other answer. */
function errorcodeOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('exception' in value)) return null
  if (typeof value.exception !== 'string') return null
  return 'errorcode' in value && typeof value.errorcode === 'string' ? value.errorcode : ''
}

function networkCode(code: string): string {
  return /^[A-Z_]{1,40}$/.test(code) ? code : 'no answer'
}
