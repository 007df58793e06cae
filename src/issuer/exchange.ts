// One request and what became of it, as plain data.

/** A body that is no text, such as a form with a file in it. */
export interface BytesBody {
  bytes: Buffer
  contentType: string
}

export interface HttpRequest {
  /** Invitations travel on fresh connections of their own; everything else on kept ones. */
  lane: 'read' | 'invitation'
  method: 'GET' | 'POST'
  /** Path below the base address, beginning with a slash. */
  path: string
  /** Bearer token, when the endpoint wants one. */
  token?: string
  /** JSON text, or bytes that say what they are. */
  body?: string | BytesBody
  /** `file` where the answer may be of any kind: it is then kept as bytes too. Default json. */
  wants?: 'json' | 'file'
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
}

export interface Failure {
  kind: 'failed'
  /** Such as ECONNREFUSED, UND_ERR_SOCKET, DEADLINE, ANSWER_TOO_LONG, DOOR_STALE. */
  code: string
  /** False only when not a byte of the request can have left this process. */
  sent: boolean
}

export type Exchange = Answer | Failure
