// The errors of asking Redis, none of which holds an address, a key or a value: a URL carries a password, arguments may be secrets.

import { ReplyError } from 'ioredis'

/** Nobody knows whether the script ran: Redis was away, or its answer did not come in time. */
export class RedisUnreachableError extends Error {
  override readonly name = 'RedisUnreachableError'
  readonly code = 'REDIS_UNREACHABLE'

  /** @param advice a sentence, where more is known than that the server or REDIS_URL is wrong */
  constructor(what: string, reason: string, advice = 'Check that its server runs and that REDIS_URL names it.') {
    super(`Redis did not answer: ${what} (${reason}). ${advice}`)
  }
}

/** Redis answered, with an error. `kind` is the first word of its text, such as OOM, NOAUTH, NOPERM, MISCONF or ERR. */
export class RedisRefusedError extends Error {
  override readonly name = 'RedisRefusedError'
  readonly code = 'REDIS_REFUSED'
  readonly kind: string

  constructor(what: string, kind: string) {
    super(`Redis refused: ${what} (${kind}). ${adviceOn(kind)}`)
    this.kind = kind
  }
}

/** A database number that the server does not have is answered by a bare ERR; this is our own word for it. */
export const noSuchDatabase = 'NODATABASE'

/** What each refusal of Redis means to whoever has to mend it; the words at the beginning of a reply are Redis's own. */
const advices: Record<string, string> = {
  WRONGPASS: 'The user or the password in REDIS_URL is wrong. Correct it.',
  NOAUTH: 'The server wants a password and REDIS_URL has none. Write it there: redis://:password@host.',
  NOPERM:
    'The user of REDIS_URL may not do this. Give it the commands of queues and scripts, for all keys that begin with credsync.',
  READONLY: 'This is a read-only replica. Name the primary in REDIS_URL.',
  OOM: 'Its memory is full. Raise maxmemory, or take away what else fills it.',
  MISCONF: 'It cannot write to its disk and so takes no writes. See to its disk.',
  LOADING: 'It still loads its data. Wait for it.',
  [noSuchDatabase]:
    'It has no database of the number at the end of REDIS_URL. Name one that it has; 0 is always there.',
}

/** A sentence with what to do about a refusal. Pure. */
export function adviceOn(kind: string): string {
  return advices[kind] ?? 'Check its memory, its disk, and what the user of REDIS_URL may do.'
}

/** The first word of an error that Redis answered with, ERR where it has none; null when it did not answer. */
export function kindOf(error: unknown): string | null {
  if (!(error instanceof ReplyError)) return null
  const { message, command } = error as Error & { command?: { name?: string } }
  const kind = /^[A-Z]{2,20}(?= )/.exec(message)?.[0] ?? 'ERR'
  return kind === 'ERR' && command?.name === 'select' ? noSuchDatabase : kind
}

/** A bare error of the library would carry the command with its arguments. */
export function spoken(what: string, error: unknown): Error {
  const kind = kindOf(error)
  return kind === null ? new RedisUnreachableError(what, errorCode(error)) : new RedisRefusedError(what, kind)
}

/** Of a connection that was not made. @param url tells whether TLS was asked for, and is not shown */
export function unconnected(what: string, error: unknown, url: string): Error {
  const failure = spoken(what, error)
  const code = errorCode(error)
  if (failure instanceof RedisRefusedError) return failure
  const asksTls = url.startsWith('rediss:')
  if (asksTls && (/^(ETIMEDOUT|ECONNRESET|EPROTO)$/.test(code) || code.startsWith('ERR_SSL')))
    return new RedisUnreachableError(
      what,
      `${code}, no TLS`,
      'REDIS_URL begins with rediss://, and a port without TLS never answers that. Write redis:// there, or name the port that speaks TLS.',
    )
  if (!asksTls && code === 'ECONNRESET')
    return new RedisUnreachableError(
      what,
      code,
      'The server ended the connection at once. Write rediss:// in REDIS_URL if its port speaks TLS.',
    )
  return failure
}

/** The class of an error, or `Error` when its name is not one: some libraries put their message into the name. */
function errorClass(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  return /^[A-Za-z][A-Za-z0-9]{0,60}$/.test(name) ? name : 'Error'
}

/** The upper-case code of an error, such as ECONNREFUSED, else its class. */
export function errorCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : errorClass(error)
}
