// Connects to the ledger's database: a pg pool with our settings, transactions, and sessions for advisory locks.

import pg from 'pg'
import { databaseError } from './database-error.ts'
import { sessionOptions } from './session-settings.ts'

/** Anything that can run SQL: the pool, or one connection inside a transaction. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number }>
}

export interface Database extends Sql, AsyncDisposable {
  /**
   * Runs `work` in one transaction; commits if it resolves, rolls back if it rejects. After a deadlock, or a conflict
   * with another transaction, it runs again, so `work` must change nothing but the database.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, mode?: 'read committed' | 'repeatable read'): Promise<Result>
  /**
   * Returns a connection for the caller's exclusive use until it is released. Needed for advisory locks, which belong
   * to a connection.
   */
  session(): Promise<Session>
  close(): Promise<void>
}

export interface Session extends Sql {
  /** The server's process id, as reported when the connection was made. */
  readonly process?: number | null
  /** Settles if the connection is lost before it is released. */
  readonly lost: Promise<void>
  /** Releases its locks, resets its settings, and returns the connection to the pool. */
  release(): Promise<void>
}

// bigint ids stay far below 2^53 here. Dates are calendar days and must never be converted to instants in a time zone.
const parsers: Record<number, (text: string) => unknown> = { 20: Number, 1082: (text) => text }

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

const deadlockDetected = '40P01'
const serializationFailure = '40001'

/** Maximum number of connections of one process, not counting those of the queue. */
export const poolSize = 20

/**
 * Returns the application name of a process's connections in pg_stat_activity, by which other processes recognize
 * them. Pure.
 */
export const nameOfConnections = (instance: string) => `credsync ${instance}`

/**
 * @param url a postgres:// address; never logged. config/environment-variables.ts refuses one with an application_name,
 * which would replace ours and hide the connections from other processes
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
  pool.on('connect', (client) => {
    connectedPools.add(pool)
    // Likewise for a connection that breaks while in use: its next query reports the error.
    client.on('error', () => {})
  })

  const database: Database = {
    query: (text, values) => retryOnConflict(() => run(pool, text, values)),
    transaction: (work, mode = 'read committed') => retryOnConflict(() => transaction(work, mode)),
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
      const { processID: process } = client as unknown as { processID: number | null }
      return { process, query: (text, values) => run(client, text, values), lost, release }
    },
    close: () => pool.end(),
    [Symbol.asyncDispose]: () => pool.end(),
  }
  return database

  async function transaction<Result>(work: (sql: Sql) => Promise<Result>, mode: string): Promise<Result> {
    const client = await connect(pool)
    let broken: Error | undefined
    try {
      await run(client, `BEGIN ISOLATION LEVEL ${mode.toUpperCase()}`)
      const result = await work({ query: (text, values) => run(client, text, values) })
      await run(client, 'COMMIT')
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

/** The pools that have been connected before, so that a later failure is not blamed on the address. */
const connectedPools = new WeakSet<pg.Pool>()

/**
 * Runs `work` again after a conflict. PostgreSQL aborts one of two transactions that are deadlocked or cannot be
 * serialized. The aborted one has written nothing, so running it again is safe.
 */
async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (![deadlockDetected, serializationFailure].includes(code) || tries === maxTries) throw error
    }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw databaseError(error, connectedPools.has(pool))
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
    throw databaseError(error, !(client instanceof pg.Pool) || connectedPools.has(client))
  }
}
