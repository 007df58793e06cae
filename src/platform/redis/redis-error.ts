// The errors of Redis calls. Their messages contain no address, key or value, because a URL includes a password and
// arguments may be secrets.

import { ReplyError } from 'ioredis'
import { capitalized } from '#src/platform/text.ts'
import { tlsFault } from '../tls-fault.ts'

/** Redis was unavailable or did not answer in time, so it is unknown whether the script ran. */
export class RedisUnreachableError extends Error {
  override readonly name = 'RedisUnreachableError'

  /** @param advice a sentence, if the cause is known to be something other than the server or REDIS_URL */
  constructor(what: string, reason: string, advice = 'Check that the server is running and that REDIS_URL names it.') {
    super(`Redis did not answer: ${what} (${reason}). ${advice}`)
  }
}

/** Redis answered with an error. `kind` is the first word of its text, such as OOM, NOAUTH, NOPERM, MISCONF or ERR. */
export class RedisRefusedError extends Error {
  override readonly name = 'RedisRefusedError'
  readonly kind: string

  constructor(what: string, kind: string) {
    super(`Redis refused: ${what} (${kind}). ${adviceFor(kind)}`)
    this.kind = kind
  }
}

/** Redis answers an invalid database number with a plain ERR; this is our own code for it. */
export const noSuchDatabase = 'NODATABASE'

/** What to do about each kind of refusal. Each key is the first word of Redis's error reply. */
const adviceByKind: Record<string, string> = {
  WRONGPASS: 'The user or the password in REDIS_URL is wrong. Correct it.',
  NOAUTH:
    'The server requires a password and REDIS_URL has none. Write the password into REDIS_URL: redis://:password@host.',
  NOPERM: 'The user of REDIS_URL may not do this. Run credsync check, which names the missing rights.',
  READONLY: 'This is a read-only replica. Name the primary in REDIS_URL.',
  OOM: "The server's memory is full. Raise maxmemory, or remove other data from the server.",
  MISCONF: 'The server cannot write to its disk and therefore refuses writes. Check its disk.',
  LOADING: 'The server is still loading its data. Wait until it has finished.',
  [noSuchDatabase]:
    'The server has no database with the number at the end of REDIS_URL. Name one that exists; 0 always does.',
}

/** Returns a sentence with advice for a refusal. Pure. */
export function adviceFor(kind: string): string {
  return adviceByKind[kind] ?? "Check the server's memory and disk, and what the user of REDIS_URL may do."
}

/** Returns the first word of an error reply, or ERR if it has no kind; null if the error is not a reply of Redis. */
export function kindOf(error: unknown): string | null {
  if (!(error instanceof ReplyError)) return null
  const { message, command } = error as Error & { command?: { name?: string } }
  const kind = /^[A-Z]{2,20}(?= )/.exec(message)?.[0] ?? 'ERR'
  return kind === 'ERR' && command?.name === 'select' ? noSuchDatabase : kind
}

/** Replaces the library's error, which would contain the command with its arguments. */
export function safeRedisError(what: string, error: unknown): Error {
  const kind = kindOf(error)
  return kind === null ? new RedisUnreachableError(what, errorCode(error)) : new RedisRefusedError(what, kind)
}

/**
 * Returns the error for a connection that could not be opened.
 * @param url only checked for its protocol, which shows whether TLS is used; never shown
 */
export function connectionError(what: string, error: unknown, url: string): Error {
  const failure = safeRedisError(what, error)
  const code = errorCode(error)
  if (failure instanceof RedisRefusedError) return failure
  const asksTls = url.startsWith('rediss:')
  const tls = tlsFault(code, { address: 'REDIS_URL', authority: 'NODE_EXTRA_CA_CERTS, the path of a file' })
  if (tls) return new RedisUnreachableError(what, code, `${capitalized(tls.what)}. ${tls.next}.`)
  if (asksTls && /^(ETIMEDOUT|ECONNRESET)$/.test(code))
    return new RedisUnreachableError(
      what,
      `${code}, no TLS`,
      'REDIS_URL begins with rediss://, and a port without TLS never answers that. Write redis:// in REDIS_URL, or name the port that uses TLS.',
    )
  if (!asksTls && code === 'ECONNRESET')
    return new RedisUnreachableError(
      what,
      code,
      'The server closed the connection immediately. Write rediss:// in REDIS_URL if its port uses TLS.',
    )
  return failure
}

/**
 * Returns the class of an error, or `Error` if its name is not a class name: some libraries put their message into the
 * name.
 */
function errorClass(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  return /^[A-Za-z][A-Za-z0-9]{0,60}$/.test(name) ? name : 'Error'
}

/** Returns the upper-case code of an error, such as ECONNREFUSED, or its class if it has no code. */
export function errorCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : errorClass(error)
}
