// What a body under HTTP 200 is that should be a file: the file, or an envelope that says why there is none.

import type { Answer } from './exchange.ts'
import type { ReadVerdict } from './read-verdict.ts'
import { ServiceRefusedError } from './service-refused-error.ts'
import { WireError } from './wire-error.ts'
import { wordsOf } from './words.ts'

/**
 * `held` is the whole body where it may be an envelope, null where it surely is none. Only an object with a status other than 200 and with a
 * message or payload beside it is told as an error; an object that is anything else is a file as it came. Throws nothing.
 */
export function judgeFile(
  held: Buffer | null,
  endpoint: string,
  confidences?: Answer['confidences'],
): ReadVerdict<null> {
  if (!held) return { kind: 'done', found: null }
  if (held.length === 0) {
    const error = new WireError(endpoint, '(whole answer)', 'empty')
    return { kind: 'again', seen: 'empty answer', throttled: false, error }
  }
  const text = new TextDecoder().decode(held)
  const status = errorStatus(text)
  if (status === null) return { kind: 'done', found: null }
  if (status === 401) return { kind: 'token-refused', words: wordsOf(text, confidences) }
  if (status === 429 || status >= 500) return { kind: 'again', seen: `envelope status ${status}`, throttled: false }
  return { kind: 'refused', error: new ServiceRefusedError(status, endpoint, wordsOf(text, confidences)) }
}

function errorStatus(text: string): number | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('message' in body || 'payload' in body)) return null
    const status = 'status' in body ? Number(body.status) : Number.NaN
    return Number.isInteger(status) && status >= 100 && status <= 999 && status !== 200 ? status : null
  } catch {
    return null
  }
}
