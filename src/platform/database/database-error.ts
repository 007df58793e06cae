// The errors of PostgreSQL, and of the connection to it, that an operator can fix: what happened, and what to do about
// it. The driver's own message may contain the address with its password, or data, so it is never shown.

import { type FaultAdvice, tlsFault } from '../tls-fault.ts'

class DatabaseError extends Error {
  /**
   * A code of the system (ECONNREFUSED), of TLS or of PostgreSQL (53300); one of ours where the driver has none
   * (NO_ANSWER).
   */
  readonly code: string

  constructor(code: string, { what, next }: FaultAdvice = noConnection) {
    super(`PostgreSQL cannot be used (${code}): ${what}. ${next}.`)
    this.code = code
  }
}

/** There is no connection to the server, or it was lost. */
export class DatabaseUnreachableError extends DatabaseError {
  override readonly name = 'DatabaseUnreachableError'
}

/** The server, or a pooler in front of it, answers and refuses what credsync needs. */
export class DatabaseRefusedError extends DatabaseError {
  override readonly name = 'DatabaseRefusedError'
}

interface Fault extends FaultAdvice {
  codes: readonly string[]
  /** How poolers word it: they use one code for everything. */
  pooler?: RegExp
  error?: typeof DatabaseRefusedError
}

const noConnection: Fault = {
  codes: ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'NO_ANSWER'],
  what: 'no connection to the server can be made',
  next: 'Check DATABASE_URL: host, port and the certificate files that it names, and check that the server is running',
}

const outage: Fault = {
  codes: ['57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE', 'CONNECTION_LOST', '08P01'],
  what: 'the server is stopping, starting or away, or a pooler before it has lost it. Nothing is lost, because everything is in the ledger',
  next: 'Wait until it runs, and then run the same command again or start the worker: a run that was under way goes on',
}

const pooler: Fault = {
  codes: [],
  pooler: /startup parameter|command-line options|statement pooling/,
  what: 'a pooler such as PgBouncer stands before the server, in transaction or statement mode, or refuses our settings (`options`). Locks, LISTEN and settings belong to a session',
  next: 'Connect to the server directly, or through a pooler in session mode that passes `options` on',
  error: DatabaseRefusedError,
}

/** The first that matches is used. */
const faults: readonly Fault[] = [
  pooler,
  {
    codes: ['28P01', '28000', 'NO_PASSWORD'],
    pooler: /authentication failed|no such user/,
    what: 'the server does not let the user in',
    next: "Check the user and the password in DATABASE_URL (is there one?), and the server's pg_hba.conf",
  },
  {
    codes: ['3D000'],
    pooler: /no such database|database .* does not exist/,
    what: 'the server has no database of that name',
    next: 'Check the name at the end of DATABASE_URL, or create the database',
  },
  {
    codes: ['53300'],
    pooler: /no more connections/,
    what: 'all of its connections are in use',
    next: 'Raise max_connections, or the limit of the account or the database, or close connections that are not needed',
  },
  {
    codes: ['53100', '53200'],
    what: 'the server has no disk space or no memory left',
    next: 'Make room there, and then run the same command again: everything is in the ledger',
    error: DatabaseRefusedError,
  },
  {
    codes: ['25006'],
    what: 'the server accepts no writes: it is a standby, or a setting makes it read-only',
    next: 'Name the primary in DATABASE_URL',
    error: DatabaseRefusedError,
  },
  {
    codes: ['42501'],
    what: 'the account of DATABASE_URL lacks a right',
    next: 'If it may not connect, let the owner of the database run GRANT CONNECT. Otherwise run `credsync check`, which names it',
    error: DatabaseRefusedError,
  },
  outage,
  noConnection,
]

/** Errors of the driver itself, which have no code. */
const driverErrors: readonly [RegExp, string][] = [
  [/^timeout e|due to connection timeout$/, 'NO_ANSWER'],
  [/^Connection terminated|^Client (was closed|has encountered)/, 'CONNECTION_LOST'],
  [/SSL connection/, 'NO_TLS'],
  [/client password must be/, 'NO_PASSWORD'],
]

/**
 * Returns the error to show instead of one of the driver; any other error is returned unchanged. Pure.
 * @param wasConnected whether this process has had a connection to the server: its address is then right
 */
export function databaseError(error: unknown, wasConnected: boolean): unknown {
  if (!(error instanceof Error)) return error
  const { message } = error
  const known = (error as { code?: string }).code
  const code = known ?? driverErrors.find(([words]) => words.test(message))?.[1]
  if (code === undefined) return error
  const tls = tlsFault(code, { address: 'DATABASE_URL', authority: 'sslrootcert in DATABASE_URL' })
  if (tls) return new DatabaseUnreachableError(code, tls)
  const isPoolers = code === '08P01' || code === '0A000'
  // PostgreSQL names the routine that reports an error; these two would then be a mistake in a statement of ours.
  if (isPoolers && 'routine' in error && error.routine !== undefined) return error
  const found = faults.find(({ codes, pooler }) => (isPoolers && pooler?.test(message)) || codes.includes(code))
  // A system error, such as a missing socket or certificate; errors from PostgreSQL have no syscall.
  const fault = found ?? ('syscall' in error ? noConnection : null)
  if (fault === null) return error
  return new (fault.error ?? DatabaseUnreachableError)(code, wasConnected && fault === noConnection ? outage : fault)
}

/** The error of connections that share sessions. */
export const sharedSessionsError = () => new DatabaseRefusedError('SHARED_SESSIONS', pooler)
