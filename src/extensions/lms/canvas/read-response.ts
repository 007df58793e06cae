// Reads one HTTP response from Canvas: returns its JSON, or throws the error that it stands for. Pure.

import type { LmsResponse } from '#src/platform/http/http-client.ts'
import { parseExactJson } from '#src/platform/http/parse-exact-json.ts'
import { parseRetryAfter } from '#src/platform/retry-after.ts'
import { CanvasError } from './canvas-error.ts'

/**
 * Returns the parsed JSON of the response about `what` that arrived at `now`. Canvas throttles with 403 and the text
 * “Rate Limit Exceeded” (its documentation and RequestThrottle), or with 429 according to newer documentation. A 401
 * with a WWW-Authenticate header means that the token is invalid; without the header, a permission is missing (its page
 * on OAuth). A missing permission can also be a 403.
 * @throws CanvasError for any other response
 */
export function readCanvasResponse(what: string, response: LmsResponse, now: Date): unknown {
  if (response.kind === 'failed') throw awayError(what, networkCode(response.code))
  const { status, headers, text } = response
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now)
  const error = (kind: 'away' | 'refused' | 'record', sentence: string, isOfCourse = kind !== 'away') =>
    new CanvasError(kind, sentence, { isOfCourse, status, retryAfterMs })
  if (status === 429 || (status === 403 && /rate limit exceeded/i.test(text)))
    throw error(
      'away',
      `Canvas throttles our requests (HTTP ${status}, rate limit). Wait; the requests are retried automatically.`,
    )
  if (status === 401 && headers['www-authenticate'] !== undefined)
    throw error(
      'refused',
      'Canvas rejects the token (HTTP 401): the token is wrong, has expired or was deleted. Create a new token for the account, and replace the old one.',
      false,
    )
  if (status === 401 || status === 403)
    throw error(
      'refused',
      `Canvas refuses the token's account access to ${what} (HTTP ${status}). Give the account's role ${permissionFor(what)}, and the token's developer key the scopes.`,
    )
  if (status === 404)
    throw error(
      'record',
      `Canvas does not find ${what} (HTTP 404), or hides the record from the account. Check in Canvas whether the record still exists.`,
    )
  if (status === 400 || status === 422)
    throw error(
      'record',
      `Canvas rejects the request for ${what} (HTTP ${status}). Check the record in Canvas; other records are not affected.`,
    )
  if (status < 200 || status >= 300) throw awayError(what, `HTTP ${status}`, { status, retryAfterMs })
  try {
    return parseExactJson(text)
  } catch {
    throw awayError(what, `HTTP ${status} without JSON`, { status })
  }
}

/** @param seen what arrived in place of a usable response: a network code, `HTTP 503`, or a fault in the JSON */
export function awayError(what: string, seen: string, more: { status?: number; retryAfterMs?: number | null } = {}) {
  const advice = /^HTTP (3|200 )/.test(seen)
    ? 'Check `url` of the system: redirects are not followed, so the url must be the address of Canvas itself.'
    : 'Check whether Canvas can be reached from this machine; the request is retried automatically.'
  return new CanvasError('away', `Canvas sent no usable response about ${what} (${seen}). ${advice}`, more)
}

function networkCode(code: string): string {
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'no response'
}

/** The permission that Canvas requires, by the beginning of the subject of the request. */
const permissions: Readonly<Record<string, string>> = {
  'the course': 'Course Content - view',
  'the modules': 'Course Content - view',
  'the items': 'Course Content - view',
  'the progress': 'Grades - view all grades',
  'the gradebook': 'Grades - view all grades',
  "the learner's entry": 'Grades - view all grades',
  'the learners': 'Users - view list',
  'a learner': 'Users - view list',
}

function permissionFor(what: string): string {
  const found = Object.entries(permissions).find(([subject]) => what.startsWith(subject))
  return found ? `the permission “${found[1]}”` : 'the permissions for this access'
}
