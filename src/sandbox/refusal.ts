// Saying no: a refusal carries the HTTP status and the words that the caller reads.

/** Thrown by hooks and endpoints; answered as an envelope with this status. The message never quotes what was sent. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

// The service documents no 415; a body that it cannot read is a bad request like any other.
const asDocumented = new Map([[415, 400]])

/**
 * Status and words for whatever was thrown: our refusals as they are, the web framework's own by their status, and
 * anything else as 500 with only the error's class, because its text may hold a recipient's data.
 */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const code = String((thrown as { code?: unknown }).code ?? 'no code')
    if (status === 413) return new Refusal(413, 'Request entity too large: send fewer recipients at a time.')
    return new Refusal(asDocumented.get(status) ?? status, `The request cannot be read (${code}).`)
  }
  const kind = thrown instanceof Error ? thrown.name : typeof thrown
  return new Refusal(500, `The sandbox itself failed (${kind}).`)
}
