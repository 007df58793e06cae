// Refusals of calls, with the HTTP status and the message for the caller. Pure.

/**
 * Thrown by hooks and endpoints, and returned as an envelope with this status. The message never quotes the request.
 */
export class SandboxRefusal extends Error {
  override name = 'SandboxRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

// The service documents no status 415, so an unreadable body is a bad request.
const documentedStatus = new Map([[415, 400]])

/**
 * Converts anything thrown to a refusal: refusals are unchanged, errors of the web framework keep their status, and
 * anything else becomes 500 with only the class of the error, because its message may contain a recipient's data.
 */
export function sandboxRefusalOf(thrown: unknown): SandboxRefusal {
  if (thrown instanceof SandboxRefusal) return thrown
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const code = String((thrown as { code?: unknown }).code ?? 'no code')
    if (status === 413) return new SandboxRefusal(413, 'Request entity too large: send fewer recipients at a time.')
    return new SandboxRefusal(documentedStatus.get(status) ?? status, `The request cannot be read (${code}).`)
  }
  const kind = thrown instanceof Error ? thrown.name : typeof thrown
  return new SandboxRefusal(500, `The sandbox itself failed (${kind}).`)
}
