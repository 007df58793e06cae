// The types of an HTTP request and its result, as plain data.

import type { Secret } from '#src/platform/secret.ts'

/** A body that is not text, such as a form with a file. */
export interface BytesBody {
  bytes: Buffer
  contentType: string
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
  /** Empty for a file that was sent with status 200: see `bytes`. */
  text: string
  /** The raw body, for a request with `wants: 'file'`. */
  bytes?: Buffer
  /**
   * Secrets that were sent to the service and may be echoed; they are removed from every message that is passed on.
   */
  sentSecrets?: readonly Secret[]
}

export interface Failure {
  kind: 'failed'
  /** For example ECONNREFUSED, UND_ERR_SOCKET, DEADLINE, ANSWER_TOO_LONG, CLAIM_EXPIRED. */
  code: string
  /** False only if no byte of the request can have left this process. */
  sent: boolean
}

export type Exchange = HttpAnswer | Failure
