// An answer of the service that can't be read. Names the place in it, never what stood there.

export class WireError extends Error {
  override name = 'WireError'
  readonly endpoint: string
  /** Where in the answer, such as `payload.data[3].entity_uuid`; `(whole answer)` when it is not JSON. */
  readonly path: string

  constructor(endpoint: string, path: string, problem: string) {
    super(
      `The service's answer at ${endpoint} could not be read at ${path} (${problem}). The service may have changed, or something between it and us answered instead; look at the answer with curl, then report it.`,
    )
    this.endpoint = endpoint
    this.path = path
  }
}
