// A request that is refused: the status of the answer and a sentence for whoever runs the sending system.

export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** The HTTP status of the answer. */
  readonly status: number
  /** Header fields that belong to this refusal only. */
  readonly headers: Record<string, string>
  constructor(status: number, sentence: string, headers: Record<string, string> = {}) {
    super(sentence)
    this.status = status
    this.headers = headers
  }
}
