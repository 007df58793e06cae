// Decides what the answer to a read means, and whether to try again. Pure.

import type { Exchange, HttpAnswer } from './http/exchange.ts'
import { readShape, WireError } from './read-shape.ts'
import { serviceMessage } from './service-message.ts'
import { ServiceUnreachableError } from './service-unreachable-error.ts'
import { type Envelope, envelopeShape } from './wire-shapes.ts'

export type ReadResult<Found> =
  | { kind: 'done'; found: Found }
  | { kind: 'token-refused'; words: string }
  | { kind: 'refused'; error: Error }
  /** `error`, if set, is thrown after the last attempt, because it is more specific than "unreachable". */
  | { kind: 'again'; problem: string; throttled: boolean; error?: Error }

/** Parses the body of a 200 answer. Never throws. */
export type ReadBody<Found> = (answer: HttpAnswer, endpoint: string) => ReadResult<Found>

/** Classifies one exchange of a read. Never throws. */
export function classifyRead<Found>(
  exchange: Exchange | null,
  endpoint: string,
  readBody: ReadBody<Found>,
): ReadResult<Found> {
  if (!exchange) return { kind: 'again', problem: 'nothing sent', throttled: false }
  // Another attempt would give an answer of the same length.
  if (exchange.kind === 'failed' && exchange.code === 'ANSWER_TOO_LONG')
    return { kind: 'refused', error: new ServiceUnreachableError(endpoint, exchange.code, 1) }
  if (exchange.kind === 'failed') return { kind: 'again', problem: exchange.code, throttled: false }
  const { status, text, sentSecrets } = exchange
  if (status === 200) return readBody(exchange, endpoint)
  if (status === 401) return { kind: 'token-refused', words: serviceMessage(text, sentSecrets) }
  if (status === 429 || status >= 500) return { kind: 'again', problem: `HTTP ${status}`, throttled: status === 429 }
  return { kind: 'refused', error: new ServiceRefusedError(status, endpoint, serviceMessage(text, sentSecrets)) }
}

/** Parses the body as an envelope. */
export function readEnvelope({ text, sentSecrets }: HttpAnswer, endpoint: string): ReadResult<Envelope> {
  try {
    const envelope = readShape(envelopeShape, parse(text, endpoint), endpoint, '')
    if (envelope.status === 200) return { kind: 'done', found: envelope }
    if (envelope.status >= 500)
      return { kind: 'again', problem: `envelope status ${envelope.status}`, throttled: false }
    return {
      kind: 'refused',
      error: new ServiceRefusedError(envelope.status, endpoint, serviceMessage(text, sentSecrets)),
    }
  } catch (error) {
    // A truncated or garbled body may be a temporary problem, so it is worth another attempt. If the problem persists,
    // this error describes it.
    return { kind: 'again', problem: 'unreadable answer', throttled: false, error: error as Error }
  }
}

function parse(text: string, endpoint: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WireError(endpoint, '(whole answer)', 'not JSON')
  }
}

/** Thrown when the service understood a read and refused it. */
export class ServiceRefusedError extends Error {
  override name = 'ServiceRefusedError'
  readonly status: number
  readonly endpoint: string
  /** The service's message, shortened and masked; may be empty. */
  readonly words: string

  constructor(status: number, endpoint: string, words: string) {
    super(
      `The service refused ${endpoint} with status ${status}${words ? `: "${words}"` : ' and no message'}. Trying again will not help; ${nextStep(status)}.`,
    )
    this.status = status
    this.endpoint = endpoint
    this.words = words
  }
}

function nextStep(status: number): string {
  if (status === 404) return 'check the uuid or number that was requested, and the environment'
  if (status === 401 || status === 403) return 'check what the access key may do, and the IP list in the portal'
  if (status >= 300 && status < 400) return 'check CREDSYNC_BASE_URL, since redirects are not followed'
  return 'check the request against the message above'
}
