// What became of an invitation, or of any other call that changes something, judged from the exchange alone.

import { parseRetryAfter } from '#src/retry/retry-after.ts'
import type { Answer, Exchange } from './exchange.ts'
import { wordsOf } from './words.ts'

export interface Outcome {
  /** not_sent, throttled and too_large were surely not applied; unknown and refused may have been, in whole or in part. */
  class: 'not_sent' | 'throttled' | 'too_large' | 'refused' | 'accepted' | 'unknown'
  /** HTTP status; null when no whole answer came. */
  status: number | null
  /** A short reason where the status does not say it all. */
  code: string | null
  /** The service's words, masked, at most 300 characters. */
  words: string
  /** Milliseconds the service asked us to wait, if it did. */
  retryAfterMs: number | null
  /** The token was refused (401): nothing of the call was looked at. */
  authRefused: boolean
}

/** Judges the exchange of one changing call; `now` is for a Retry-After that names a date. */
export function classifyChange(exchange: Exchange, now: Date): Outcome {
  if (exchange.kind === 'failed') return withoutAnswer(exchange.sent ? 'unknown' : 'not_sent', exchange.code)
  const { status } = exchange
  return {
    ...judge(exchange),
    status,
    words: wordsOf(exchange.text, exchange.confidences),
    retryAfterMs: parseRetryAfter(exchange.headers['retry-after'], now),
    authRefused: status === 401,
  }
}

/** The outcome of a call to which no whole answer came. */
export function withoutAnswer(kind: 'not_sent' | 'unknown', code: string): Outcome {
  return { class: kind, status: null, code, words: '', retryAfterMs: null, authRefused: false }
}

function judge(answer: Answer): Pick<Outcome, 'class' | 'code'> {
  const { status } = answer
  if (status === 429) return { class: 'throttled', code: null }
  if (status === 413) return { class: 'too_large', code: null }
  if (status === 401) return { class: 'refused', code: null }
  // A refusal in the service's own form is its judgement. Anything else is somebody on the way there, and who knows what had got through.
  if (status >= 400 && status < 500)
    return isEnvelope(bodyOf(answer)) ? { class: 'refused', code: null } : { class: 'unknown', code: 'NOT_THE_SERVICE' }
  if (status === 200) return judgeEnvelope(bodyOf(answer))
  // A redirect is unknown, not refused: some services apply a POST and then answer "see other". 5xx may come from a
  // gateway that gave up while the service behind it went on.
  return { class: 'unknown', code: status >= 300 && status < 400 ? 'REDIRECT' : null }
}

/** Undefined where the body is no JSON. */
function bodyOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isEnvelope(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('status' in body || 'message' in body)
}

function judgeEnvelope(body: unknown): Pick<Outcome, 'class' | 'code'> {
  if (body === undefined) return { class: 'unknown', code: 'ANSWER_UNREADABLE' }
  const said = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined
  if (said === 200 || said === '200') return { class: 'accepted', code: null }
  return { class: 'unknown', code: 'ENVELOPE_DISAGREES' }
}
