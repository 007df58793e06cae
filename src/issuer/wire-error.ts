// Thrown when an answer of the service cannot be parsed. The error names the path in the answer, never the value.

export class WireError extends Error {
  override name = 'WireError'
  readonly endpoint: string
  /** The path in the answer, such as `payload.data[3].entity_uuid`; `(whole answer)` if the answer is not JSON. */
  readonly path: string

  constructor(endpoint: string, path: string, problem: string) {
    super(
      `The service's answer at ${endpoint} could not be read at ${path} (${problem}). The service may have changed, or a proxy answered instead; inspect the answer with curl, then report it.`,
    )
    this.endpoint = endpoint
    this.path = path
  }
}
