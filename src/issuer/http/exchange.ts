// The types of an HTTP request and its result, as plain data.

import type { Secret } from '#src/platform/secret.ts'

/** A body that is not text, such as a form with a file. */
export interface BytesBody {
  bytes: Buffer
  contentType: string
}

/**
 * Receives the body of a successful answer as a stream. If it throws an error, the exchange ends as a Failure with that
 * error as `fault`.
 */
export interface BodySink {
  /** Starts a 200 answer; discard the data of an earlier one. Header names are in lower case. */
  begin(headers: Record<string, string>): void
  /** Called for one chunk at a time, the next time only after the promise has resolved. */
  write(piece: Buffer): Promise<void> | void
  /** Called when the body is complete. */
  finish?(): Promise<void> | void
}

export interface HttpRequest {
  /**
   * Which pool of connections to use. Invitations and other changes have separate pools and use a fresh connection for
   * each request; reads reuse connections.
   */
  lane: 'read' | 'invitation' | 'change'
  method: 'GET' | 'POST' | 'PUT'
  /** Path below the base address, starting with a slash. */
  path: string
  /** Bearer token, if the endpoint requires one. */
  token?: string
  /** JSON text, or bytes with their content type. */
  body?: string | BytesBody
  /** `file` accepts any content type and keeps the answer's bytes. Default: `json`. */
  wants?: 'json' | 'file'
  /** Receives the body of a 200 answer in chunks; the answer's text is then empty. */
  sink?: BodySink
  /** Milliseconds from now until the whole answer must have arrived. */
  deadlineMs: number
  /** Called in the same tick as the write; if it returns false, nothing is written. */
  maySend?: () => boolean
}

export interface HttpAnswer {
  kind: 'answer'
  status: number
  /** Lower-case names; repeated headers are joined by a comma. */
  headers: Record<string, string>
  text: string
  /** The raw body, for a request that wants a file. */
  bytes?: Buffer
  /**
   * Secrets that were sent to the service and may be echoed; they are removed from every message that is passed on.
   */
  sentSecrets?: readonly Secret[]
}

export interface Failure {
  kind: 'failed'
  /** For example ECONNREFUSED, UND_ERR_SOCKET, DEADLINE, ANSWER_TOO_LONG, CLAIM_EXPIRED, SINK. */
  code: string
  /** The error thrown by the request's own sink. */
  fault?: Error
  /** False only if not a byte of the request can have left this process. */
  sent: boolean
}

export type Exchange = HttpAnswer | Failure
