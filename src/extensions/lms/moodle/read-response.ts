// Reads one HTTP response from Moodle's REST server: returns its JSON, or throws the error that it stands for. Pure.

import type { LmsResponse } from '#src/platform/http/http-client.ts'
import { parseExactJson } from '#src/platform/http/parse-exact-json.ts'
import { parseRetryAfter } from '#src/platform/retry-after.ts'
import { classifyErrorCode } from './classify-error-code.ts'
import { MoodleAwayError } from './moodle-away-error.ts'

/**
 * Returns the parsed JSON of a response to `calledFunction` that arrived at `now`. The class of an error does not
 * depend on the status, since a real Moodle returns HTTP 200 even when its database is down. The exceptions are 502,
 * 503 and 504, which come from a gateway and not from Moodle.
 * @throws MoodleError for an exception in the response; MoodleAwayError for everything that is not JSON: a maintenance
 * page, the XML of a server that ignored the requested format, a truncated response, a gateway's error page
 */
export function readMoodleResponse(calledFunction: string, response: LmsResponse, now: Date): unknown {
  if (response.kind === 'failed') throw new MoodleAwayError(calledFunction, networkCode(response.code))
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now)
  if ([502, 503, 504].includes(response.status))
    throw new MoodleAwayError(calledFunction, `HTTP ${response.status}`, retryAfterMs)
  let value: unknown
  try {
    value = parseExactJson(response.text)
  } catch {
    throw new MoodleAwayError(calledFunction, `HTTP ${response.status} without JSON`, retryAfterMs)
  }
  const errorcode = errorcodeOf(value)
  if (errorcode !== null) throw classifyErrorCode(calledFunction, errorcode)
  if (response.status >= 400) throw new MoodleAwayError(calledFunction, `HTTP ${response.status}`, retryAfterMs)
  return value
}

/** The error code of a reported exception, empty when Moodle sent none; null for any other response. */
function errorcodeOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('exception' in value)) return null
  if (typeof value.exception !== 'string') return null
  return 'errorcode' in value && typeof value.errorcode === 'string' ? value.errorcode : ''
}

function networkCode(code: string): string {
  return /^[A-Z_]{1,40}$/.test(code) ? code : 'no response'
}
