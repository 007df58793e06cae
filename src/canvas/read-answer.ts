// Reads one answer of Canvas: the JSON in it, or the error that it stands for. A pure function of what was heard.

import { parseRetryAfter } from '#src/retry/retry-after.ts'
import type { Heard } from '#src/wire/open-wire.ts'
import { CanvasError } from './canvas-error.ts'

/**
 * The parsed JSON of the answer about `what`, heard at `now`. Throws a CanvasError for any other answer. Canvas throttles with 403 and the
 * words “Rate Limit Exceeded” (its documentation and RequestThrottle), by newer documentation with 429. A 401 is about the token when
 * it bears WWW-Authenticate, else about a right (its page on OAuth); a right is also missed with 403.
 */
export function readAnswer(what: string, heard: Heard, now: Date): unknown {
  if (heard.kind === 'failed') throw away(what, networkCode(heard.code))
  const { status, headers, text } = heard
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now)
  if (status === 429 || (status === 403 && /rate limit exceeded/i.test(text)))
    throw new CanvasError(
      'away',
      `Canvas asks for patience (${status}, rate limit). Wait; it is asked again by itself.`,
      {
        status,
        retryAfterMs,
      },
    )
  if (status === 401 && headers['www-authenticate'] !== undefined)
    throw new CanvasError(
      'refused',
      'Canvas does not take the token (401): it is wrong, has expired or was deleted. Make a new one for the account, and put it in place of the old one.',
      { status },
    )
  if (status === 401 || status === 403)
    throw new CanvasError(
      'forbidden',
      `Canvas refuses ${what} to the token's account (${status}). Give the account's role the permissions for it, and the token's developer key the scopes.`,
      { status },
    )
  if (status === 404)
    throw new CanvasError(
      'record',
      `Canvas does not find ${what} (404), or does not show it to the account. See whether it is still there.`,
      {
        status,
      },
    )
  if (status === 400 || status === 422)
    throw new CanvasError(
      'record',
      `Canvas does not take the question about ${what} (${status}). Look at it in Canvas; the others go on.`,
      { status },
    )
  if (status < 200 || status >= 300) throw away(what, `HTTP ${status}`, { status, retryAfterMs })
  try {
    return JSON.parse(text)
  } catch {
    throw away(what, `HTTP ${status} without JSON`, { status })
  }
}

export function away(what: string, seen: string, more: { status?: number; retryAfterMs?: number | null } = {}) {
  const advice = /^HTTP (3|200 )/.test(seen)
    ? "Check the url of the system: it is Canvas's own address, and redirects are not followed."
    : 'Check whether Canvas can be reached from here; it is asked again by itself.'
  return new CanvasError('away', `Canvas gave no usable answer about ${what} (${seen}). ${advice}`, more)
}

function networkCode(code: string): string {
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'no answer'
}
