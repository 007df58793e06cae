// The errors of asking Redis, none of which holds an address, a key or a value: a URL carries a password, arguments may be secrets.

/** Nobody knows whether the script ran: Redis was away, or its answer did not come in time. */
export class RedisUnreachableError extends Error {
  override readonly name = 'RedisUnreachableError'
  readonly code = 'REDIS_UNREACHABLE'

  constructor(what: string, reason: string) {
    super(`Redis did not answer: ${what} (${reason}). Check that its server runs and that REDIS_URL names it.`)
  }
}

/** Redis answered, with an error. `kind` is the first word of its text, such as OOM, NOAUTH, NOPERM, MISCONF or ERR. */
export class RedisRefusedError extends Error {
  override readonly name = 'RedisRefusedError'
  readonly code = 'REDIS_REFUSED'
  readonly kind: string

  constructor(what: string, kind: string) {
    super(`Redis refused: ${what} (${kind}). Check its memory, its disk, and what the user of REDIS_URL may do.`)
    this.kind = kind
  }
}

/** The class of an error, or `Error` when its name is not one: some libraries put their message into the name. */
export function errorClass(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  return /^[A-Za-z][A-Za-z0-9]{0,60}$/.test(name) ? name : 'Error'
}

/** The upper-case code of an error, such as ECONNREFUSED, else its class. */
export function errorCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : errorClass(error)
}
