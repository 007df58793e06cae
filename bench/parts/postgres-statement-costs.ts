// Opens the PostgreSQL of a benchmark: an embedded one that records what its statements cost (pg_stat_statements), or a
// new database on the server of DATABASE_URL, with that server's own settings. The server must run on this machine, and
// the account must be an administrator's, so that its CPU time can be read.

import { randomBytes } from 'node:crypto'

import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { postgresCpuMs } from './postgres-time.ts'

export interface Statement {
  query: string
  calls: number
  /** Milliseconds of all calls, including waiting. */
  total: number
  /** Pages of 8 kB that all calls touched, found in memory or not. */
  buffers: number
}

/** @param settings of the embedded server, in addition to its own */
export async function openPostgresWithStatementCosts(dataDir: string, settings: Readonly<Record<string, string>> = {}) {
  const { DATABASE_URL } = process.env
  const server = DATABASE_URL ? await newDatabaseOn(DATABASE_URL) : await openEmbedded(dataDir, settings)
  const { pid, isRecording } = await withClient(server.url, async (client) => {
    const loaded = await client.query("SELECT FROM pg_settings WHERE name = 'pg_stat_statements.track'")
    if (loaded.rowCount) await client.query('CREATE EXTENSION pg_stat_statements')
    const { rows } = await client.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`)
    const lines = (await readFile(`${rows[0]?.folder}/postmaster.pid`, 'utf8')).split('\n')
    return { pid: Number(lines[0]), isRecording: Boolean(loaded.rowCount) }
  })
  return {
    ...server,
    cpuMs: () => postgresCpuMs(pid),
    begin: async () => {
      if (isRecording) await withClient(server.url, (client) => client.query('SELECT pg_stat_statements_reset()'))
    },
    /** None on a server that does not load pg_stat_statements. */
    statements: async (): Promise<Statement[]> => (isRecording ? withClient(server.url, readStatements) : []),
  }
}

export async function newDatabaseOn(address: string): Promise<{ url: string; release(): Promise<unknown> }> {
  const name = `credsync_bench_${randomBytes(6).toString('hex')}`
  await withClient(address, (client) => client.query(`CREATE DATABASE ${name}`))
  const url = new URL(address)
  url.pathname = `/${name}`
  return {
    url: url.href,
    release: () => withClient(address, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  }
}

async function openEmbedded(dataDir: string, settings: Readonly<Record<string, string>>) {
  const first = await openEmbeddedPostgres({ dataDir, clock })
  const recording = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'top' }
  await withClient(first.url, async (client) => {
    for (const [name, value] of Object.entries({ ...recording, max_wal_size: '4GB', ...settings }))
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  })
  await first.release()
  const server = await openEmbeddedPostgres({ dataDir, clock })
  return { url: server.url, release: () => server.release() }
}

async function readStatements(client: pg.Client): Promise<Statement[]> {
  const { rows } = await client.query<Statement>(
    `SELECT query, sum(calls)::int AS calls, sum(total_exec_time + total_plan_time)::float AS total,
            sum(shared_blks_hit + shared_blks_read)::float AS buffers
     FROM pg_stat_statements GROUP BY query ORDER BY total DESC`,
  )
  return rows
}

export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function shorten(query: string): string {
  return query.replace(/\s+/g, ' ').trim().slice(0, 110)
}
