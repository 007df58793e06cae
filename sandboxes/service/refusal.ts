// Refusals of calls, with the HTTP status and the message for the caller. Pure.

/**
 * Thrown by endpoints and the checks before them, and returned as an envelope with this status. The message never quotes the request.
 */
export class SandboxRefusal extends Error {
  override name = 'SandboxRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Converts anything thrown to a refusal: an error becomes 500 with only its class, because its message may contain a
 * recipient's data.
 */
export function sandboxRefusalOf(thrown: unknown): SandboxRefusal {
  if (thrown instanceof SandboxRefusal) return thrown
  const kind = thrown instanceof Error ? thrown.name : typeof thrown
  return new SandboxRefusal(500, `The sandbox itself failed (${kind}).`)
}
