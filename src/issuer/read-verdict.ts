// What the answer to a read means, and whether to ask again.

import type { Answer, Exchange } from './exchange.ts'
import { readShape } from './read-shape.ts'
import { ServiceRefusedError } from './service-refused-error.ts'
import { ServiceUnreachableError } from './service-unreachable-error.ts'
import { type Envelope, envelopeShape } from './wire.ts'
import { WireError } from './wire-error.ts'
import { wordsOf } from './words.ts'

export type ReadVerdict<Found> =
  | { kind: 'done'; found: Found }
  | { kind: 'token-refused'; words: string }
  | { kind: 'refused'; error: Error }
  /** `error` is what to throw when the tries are used up, where it says more than "unreachable". */
  | { kind: 'again'; seen: string; throttled: boolean; error?: Error }

/** Reads the body of an answer with HTTP 200. Throws nothing. */
export type ReadBody<Found> = (answer: Answer, endpoint: string) => ReadVerdict<Found>

/** Judges one exchange of a read. Throws nothing. */
export function judgeRead<Found>(
  exchange: Exchange | null,
  endpoint: string,
  readBody: ReadBody<Found>,
): ReadVerdict<Found> {
  if (!exchange) return { kind: 'again', seen: 'nothing sent', throttled: false }
  // Our own sink is full or broken: the service cannot help.
  if (exchange.kind === 'failed' && exchange.fault) return { kind: 'refused', error: exchange.fault }
  // It would be as long the next time.
  if (exchange.kind === 'failed' && exchange.code === 'ANSWER_TOO_LONG')
    return { kind: 'refused', error: new ServiceUnreachableError(endpoint, exchange.code, 1) }
  if (exchange.kind === 'failed') return { kind: 'again', seen: exchange.code, throttled: false }
  const { status, text, confidences } = exchange
  if (status === 200) return readBody(exchange, endpoint)
  if (status === 401) return { kind: 'token-refused', words: wordsOf(text, confidences) }
  if (status === 429 || status >= 500) return { kind: 'again', seen: `HTTP ${status}`, throttled: status === 429 }
  return { kind: 'refused', error: new ServiceRefusedError(status, endpoint, wordsOf(text, confidences)) }
}

/** The body as an envelope. */
export function judgeEnvelope({ text, confidences }: Answer, endpoint: string): ReadVerdict<Envelope> {
  try {
    const envelope = readShape(envelopeShape, parse(text, endpoint), endpoint, '')
    if (envelope.status === 200) return { kind: 'done', found: envelope }
    if (envelope.status >= 500) return { kind: 'again', seen: `envelope status ${envelope.status}`, throttled: false }
    return { kind: 'refused', error: new ServiceRefusedError(envelope.status, endpoint, wordsOf(text, confidences)) }
  } catch (error) {
    // A cut or garbled body may be a hiccup on the way: worth another try, and if it stays so this says what is wrong.
    return { kind: 'again', seen: 'unreadable answer', throttled: false, error: error as Error }
  }
}

function parse(text: string, endpoint: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WireError(endpoint, '(whole answer)', 'not JSON')
  }
}
