// Classifies the outcome of an invitation, or of any other call that changes something, from the exchange alone. Pure.

import type { OutcomeClass } from '#src/domain/credential/outcome-class.ts'
import { parseRetryAfter } from '#src/platform/retry-after.ts'
import type { Exchange, HttpAnswer } from '../http/exchange.ts'
import { serviceMessage } from '../service-message.ts'

export interface Outcome {
  class: OutcomeClass
  /** HTTP status; null if no complete answer arrived. */
  status: number | null
  /** A short code that explains the outcome when the status alone does not; otherwise null. */
  code: string | null
  /** The service's message, masked, at most 300 characters. */
  words: string
  /** Milliseconds that the service asked us to wait; null if it did not. */
  retryAfterMs: number | null
}

/**
 * Classifies the exchange of one changing call.
 * @param now used to interpret a Retry-After that contains a date
 */
export function classifyChange(exchange: Exchange, now: Date): Outcome {
  if (exchange.kind === 'failed') return withoutAnswer(exchange.sent ? 'unknown' : 'not_sent', exchange.code)
  const { status } = exchange
  return {
    ...classOf(exchange),
    status,
    words: serviceMessage(exchange.text, exchange.sentSecrets),
    retryAfterMs: parseRetryAfter(exchange.headers['retry-after'], now),
  }
}

/** The outcome of a call without a complete answer. */
export function withoutAnswer(kind: 'not_sent' | 'unknown', code: string): Outcome {
  return { class: kind, status: null, code, words: '', retryAfterMs: null }
}

function classOf(answer: HttpAnswer): Pick<Outcome, 'class' | 'code'> {
  const { status } = answer
  if (status === 429) return { class: 'throttled', code: null }
  if (status === 413) return { class: 'too_large', code: null }
  if (status === 401) return { class: 'unauthorised', code: null }
  // A refusal in the service's own format comes from the service. Any other refusal comes from an intermediary, and it
  // is unknown whether the request had already been passed on.
  if (status >= 400 && status < 500)
    return isEnvelope(bodyOf(answer)) ? { class: 'refused', code: null } : { class: 'unknown', code: 'NOT_THE_SERVICE' }
  if (status === 200) return classOfEnvelope(bodyOf(answer))
  // A redirect is unknown, not refused: some services apply a POST and then answer "see other". 5xx may come from a
  // gateway that gave up while the service behind it continued.
  return { class: 'unknown', code: status >= 300 && status < 400 ? 'REDIRECT' : null }
}

/** Returns the parsed body; undefined if it is not JSON. */
function bodyOf({ text }: HttpAnswer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isEnvelope(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('status' in body || 'message' in body)
}

function classOfEnvelope(body: unknown): Pick<Outcome, 'class' | 'code'> {
  if (body === undefined) return { class: 'unknown', code: 'ANSWER_UNREADABLE' }
  const bodyStatus = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined
  if (bodyStatus === 200 || bodyStatus === '200') return { class: 'accepted', code: null }
  return { class: 'unknown', code: 'ENVELOPE_DISAGREES' }
}
