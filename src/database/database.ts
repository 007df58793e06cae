// The only owner of pg: a pool with the house's settings, and transactions as brackets.

import pg from 'pg'

/** Anything that runs SQL: the pool, or one connection inside a transaction. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number }>
}

export interface Database extends Sql, AsyncDisposable {
  /** Runs `work` in one transaction; commits when it returns, rolls back when it throws. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, mode?: 'read committed' | 'repeatable read'): Promise<Result>
  /** One connection of its own until released: for advisory locks, which belong to a connection. */
  session(): Promise<Session>
  close(): Promise<void>
}

export interface Session extends Sql {
  /** Settles when the connection was lost without being released. */
  readonly lost: Promise<void>
  /** Gives up its locks and settings, and the connection back. */
  release(): Promise<void>
}

export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError'
  /** Of the system (ECONNREFUSED) or of PostgreSQL (53300); null when no connection came in time. */
  readonly code: string | null

  constructor(code: string | null) {
    super(
      `PostgreSQL cannot be used (${code ?? 'connect timeout'}). Check DATABASE_URL: host, port, user, password and database name, and that the server runs.`,
    )
    this.code = code
  }
}

// bigint ids stay far below 2^53 here; dates are calendar days and must never become instants in somebody's time zone.
const parsers: Record<number, (text: string) => unknown> = { 20: Number, 1082: (text) => text }

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Connections at most of one process, the queue's not counted. */
export const poolSize = 20

/** What the connections of a process are called in pg_stat_activity, by which others know whose they are. Pure. */
export const nameOfConnections = (instance: string) => `credsync ${instance}`

/**
 * @param url a postgres:// address; never logged. An application_name in it wins over ours.
 * @param options.instance of the process that opens it
 */
export function openDatabase(url: string, options: { connections?: number; instance?: string } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: options.connections ?? poolSize,
    connectionTimeoutMillis: 10_000,
    application_name: options.instance ? nameOfConnections(options.instance) : 'credsync',
    // A forgotten transaction must not hold locks for ever, nor a lost plan run for hours.
    options:
      '-c search_path=credsync -c idle_in_transaction_session_timeout=60000 -c lock_timeout=30000 -c statement_timeout=300000 ' +
      // A machine that vanished must not keep its locks for two hours.
      '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3',
  })
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {})
  // The same for one that breaks while somebody holds it: their next query says so.
  pool.on('connect', (client) => client.on('error', () => {}))

  const database: Database = {
    query: (text, values) => run(pool, text, values),
    async transaction(work, mode = 'read committed') {
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
    },
    async session() {
      const client = await connect(pool)
      const { promise: lost, resolve } = Promise.withResolvers<void>()
      const onLost = () => resolve()
      client.once('error', onLost)
      client.once('end', onLost)
      const release = () => {
        client.off('error', onLost)
        client.off('end', onLost)
        return giveBack(client)
      }
      return { query: (text, values) => run(client, text, values), lost, release }
    },
    close: () => pool.end(),
    [Symbol.asyncDispose]: () => pool.end(),
  }
  return database
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw unreachable(error)
  }
}

async function giveBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_unlock_all()')
    await client.query('RESET ALL')
    client.release()
  } catch {
    client.release(true)
  }
}

async function run<Row extends object>(on: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[] = []) {
  try {
    const result = await on.query<Row>(text, values as unknown[])
    return { rows: result.rows, rowCount: result.rowCount ?? 0 }
  } catch (error) {
    throw unreachable(error)
  }
}

/** Connection faults become one class; the driver's own text is left out, for it can carry the address with its password. */
function unreachable(error: unknown): unknown {
  const code = (error as { code?: string }).code ?? ''
  const network = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET', 'EHOSTUNREACH', 'EAI_AGAIN']
  const refused = ['28P01', '28000', '3D000', '57P03', '53300']
  const timedOut = error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message)
  if (!network.includes(code) && !refused.includes(code) && !timedOut) return error
  return new DatabaseUnreachableError(code || null)
}
