// The error for a request that is refused, with the HTTP status and the message for the operator of the sending system.
// Pure.

export class StatementRefusal extends Error {
  override readonly name = 'StatementRefusal'
  /** The HTTP status of the response. */
  readonly status: number
  /** Additional response headers for this refusal. */
  readonly headers: Record<string, string>
  constructor(status: number, sentence: string, headers: Record<string, string> = {}) {
    super(sentence)
    this.status = status
    this.headers = headers
  }
}
