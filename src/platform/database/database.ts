// Connects to the ledger's database: a pg pool with our settings, transactions, and sessions for advisory locks.

import pg from 'pg'
import { sessionOptions } from './session-settings.ts'

/** Anything that runs SQL: the pool, or one connection inside a transaction. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number }>
}

export interface Database extends Sql, AsyncDisposable {
  /**
   * Runs `work` in one transaction; commits if it resolves, rolls back if it rejects. After a deadlock it runs again,
   * so `work` must change nothing but the database.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, mode?: 'read committed' | 'repeatable read'): Promise<Result>
  /** Returns a connection for the caller alone, until released. For advisory locks, which belong to a connection. */
  session(): Promise<Session>
  close(): Promise<void>
}

export interface Session extends Sql {
  /** Settles if the connection is lost before it is released. */
  readonly lost: Promise<void>
  /** Releases its locks, resets its settings, and returns the connection to the pool. */
  release(): Promise<void>
}

export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError'
  /** A system error code (ECONNREFUSED) or a PostgreSQL error code (53300); null if the connection timed out. */
  readonly code: string | null

  constructor(code: string | null) {
    super(
      `PostgreSQL cannot be used (${code ?? 'connect timeout'}). Check DATABASE_URL: host, port, user, password, database name and the certificate files that it names, and check that the server is running.`,
    )
    this.code = code
  }
}

// bigint ids stay far below 2^53 here. Dates are calendar days and must never be converted to instants in a time zone.
const parsers: Record<number, (text: string) => unknown> = { 20: Number, 1082: (text) => text }

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

const deadlockDetected = '40P01'

/** Maximum number of connections of one process, not counting those of the queue. */
export const poolSize = 20

/**
 * Returns the application name of a process's connections in pg_stat_activity, by which other processes recognize
 * them. Pure.
 */
export const nameOfConnections = (instance: string) => `credsync ${instance}`

/**
 * @param url a postgres:// address; never logged. config/environment.ts refuses an application_name in it, which would
 * replace ours, so that other processes could not recognize the connections
 * @param options.instance the id of this process
 */
export function openDatabase(url: string, options: { connections?: number; instance?: string } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: options.connections ?? poolSize,
    connectionTimeoutMillis: 10_000,
    application_name: options.instance ? nameOfConnections(options.instance) : 'credsync',
    options: sessionOptions('credsync'),
  })
  // An idle connection that breaks is replaced at the next query; without a listener the error would end the process.
  pool.on('error', () => {})
  // The same for a connection that breaks while in use: its next query reports the error.
  pool.on('connect', (client) => client.on('error', () => {}))

  const database: Database = {
    query: (text, values) => retryOnDeadlock(() => run(pool, text, values)),
    transaction: (work, mode = 'read committed') => retryOnDeadlock(() => transaction(work, mode)),
    async session() {
      const client = await connect(pool)
      const { promise: lost, resolve } = Promise.withResolvers<void>()
      const onLost = () => resolve()
      client.once('error', onLost)
      client.once('end', onLost)
      const release = () => {
        client.off('error', onLost)
        client.off('end', onLost)
        return returnToPool(client)
      }
      return { query: (text, values) => run(client, text, values), lost, release }
    },
    close: () => pool.end(),
    [Symbol.asyncDispose]: () => pool.end(),
  }
  return database

  async function transaction<Result>(work: (sql: Sql) => Promise<Result>, mode: string): Promise<Result> {
    const client = await connect(pool)
    let broken: Error | undefined
    try {
      await client.query(`BEGIN ISOLATION LEVEL ${mode.toUpperCase()}`)
      const result = await work({ query: (text, values) => run(client, text, values) })
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch((fault: Error) => {
        broken = fault
      })
      throw error
    } finally {
      client.release(broken)
    }
  }
}

const maxTries = 5

/** PostgreSQL aborts one of two deadlocked transactions. It has written nothing, so it is safe to run it again. */
async function retryOnDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== deadlockDetected || tries === maxTries) throw error
    }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw unreachable(error)
  }
}

async function returnToPool(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_unlock_all(); RESET ALL')
    client.release()
  } catch {
    client.release(true)
  }
}

async function run<Row extends object>(client: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[] = []) {
  try {
    const result = await client.query<Row>(text, values as unknown[])
    return { rows: result.rows, rowCount: result.rowCount ?? 0 }
  } catch (error) {
    throw unreachable(error)
  }
}

/**
 * Converts a connection error to DatabaseUnreachableError and returns any other error unchanged. The driver's message
 * is left out, because it may contain the address with its password.
 */
function unreachable(error: unknown): unknown {
  const code = (error as { code?: string }).code ?? ''
  const network = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET', 'EHOSTUNREACH', 'EAI_AGAIN']
  const refused = ['28P01', '28000', '3D000', '57P03', '53300']
  const timedOut = error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message)
  // A system error, such as a missing socket or certificate; errors from PostgreSQL have no syscall.
  const isSystemError = error instanceof Error && 'syscall' in error
  if (!network.includes(code) && !refused.includes(code) && !timedOut && !isSystemError) return error
  return new DatabaseUnreachableError(code || null)
}
