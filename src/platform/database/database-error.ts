// The errors of PostgreSQL, and of the connection to it, that an operator can fix. Each states what happened and what
// to do about it. The driver's own message may contain data, or the address with its password, so it is never shown.

import { type FaultAdvice, tlsFault } from '../tls-fault.ts'

class DatabaseError extends Error {
  /**
   * A code from the system (ECONNREFUSED), from TLS or from PostgreSQL (53300), or one of ours if the driver has none
   * (NO_ANSWER).
   */
  readonly code: string

  constructor(code: string, { what, next }: FaultAdvice = noConnection) {
    super(`PostgreSQL cannot be used (${code}): ${what}. ${next}.`)
    this.code = code
  }
}

/** The server could not be reached, or the connection was lost. */
export class DatabaseUnreachableError extends DatabaseError {
  override readonly name = 'DatabaseUnreachableError'
}

/** The server, or a pooler in front of it, responds but refuses something that credsync needs. */
export class DatabaseRefusedError extends DatabaseError {
  override readonly name = 'DatabaseRefusedError'
}

interface Fault extends FaultAdvice {
  codes: readonly string[]
  /** Matches the message of a pooler, because poolers use one code for everything. */
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

/** The first match is used. */
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

/** Codes for errors that the driver itself raises without a code. */
const driverErrors: readonly [RegExp, string][] = [
  [/^timeout e|due to connection timeout$/, 'NO_ANSWER'],
  [/^Connection terminated|^Client (was closed|has encountered)/, 'CONNECTION_LOST'],
  [/SSL connection/, 'NO_TLS'],
  [/client password must be/, 'NO_PASSWORD'],
]

/**
 * Replaces an error of the driver by the one to show. Any other error is returned unchanged. Pure.
 * @param wasConnected whether this process has been connected to the server before, which shows that its address is
 * right
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
  // PostgreSQL names the routine that reports an error, but poolers do not. With a routine, these two codes mean a
  // mistake in one of our own statements.
  if (isPoolers && 'routine' in error && error.routine !== undefined) return error
  const found = faults.find(({ codes, pooler }) => (isPoolers && pooler?.test(message)) || codes.includes(code))
  // A system error, such as a missing socket or certificate; errors from PostgreSQL have no syscall.
  const fault = found ?? ('syscall' in error ? noConnection : null)
  if (fault === null) return error
  return new (fault.error ?? DatabaseUnreachableError)(code, wasConnected && fault === noConnection ? outage : fault)
}

/** The error for connections that share sessions of the server. */
export const sharedSessionsError = () => new DatabaseRefusedError('SHARED_SESSIONS', pooler)
