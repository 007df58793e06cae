// One request and what became of it, as plain data.

import type { Secret } from './secret.ts'

/** A body that is no text, such as a form with a file in it. */
export interface BytesBody {
  bytes: Buffer
  contentType: string
}

/** Where the body of a good answer goes as it comes. What it throws ends the exchange, as `fault` of the failure. */
export interface BodySink {
  /** An answer 200 begins; whatever an earlier one brought is void. Header names are in lower case. */
  begin(headers: Record<string, string>): void
  /** One piece after another: none comes before the promise of the last is kept. */
  write(piece: Buffer): Promise<void> | void
  /** The body is whole. */
  finish?(): Promise<void> | void
}

export interface HttpRequest {
  /** Invitations and other changes travel on fresh connections, each kind on its own; reads on kept ones. */
  lane: 'read' | 'invitation' | 'change'
  method: 'GET' | 'POST' | 'PUT'
  /** Another origin than the service's, such as `https://files.example`: `path` is then below it, and no token travels. */
  origin?: string
  /** Path below the base address, beginning with a slash. */
  path: string
  /** Bearer token, when the endpoint wants one. */
  token?: string
  /** JSON text, or bytes that say what they are. */
  body?: string | BytesBody
  /** `file` where the answer may be of any kind: it is then kept as bytes too. Default json. */
  wants?: 'json' | 'file'
  /** Takes the body of an answer 200 piece by piece; the answer then comes with an empty text. */
  sink?: BodySink
  /** Longest body of an answer, where it is to be less than the wire's own limit. */
  maxBytes?: number
  /** Milliseconds from now until the whole answer must be here. */
  deadlineMs: number
  /** Asked in the very tick of writing; when it says no, nothing is written. */
  maySend?: () => boolean
}

export interface Answer {
  kind: 'answer'
  status: number
  /** Lower-case names; repeated headers joined by a comma. */
  headers: Record<string, string>
  text: string
  /** The body as it came, for a request that wanted a file. */
  bytes?: Buffer
  /** What the service was told in confidence and may echo: left out of whatever is told of its words. */
  confidences?: readonly Secret[]
}

export interface Failure {
  kind: 'failed'
  /** Such as ECONNREFUSED, UND_ERR_SOCKET, DEADLINE, ANSWER_TOO_LONG, DOOR_STALE, SINK. */
  code: string
  /** What the request's own sink threw. */
  fault?: Error
  /** False only when not a byte of the request can have left this process. */
  sent: boolean
}

export type Exchange = Answer | Failure
