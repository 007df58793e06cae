// Opens an embedded PostgreSQL that records what its statements cost (pg_stat_statements).

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

/** @param settings of the server, in addition to its own */
export async function openPostgresWithStatementCosts(dataDir: string, settings: Readonly<Record<string, string>> = {}) {
  const first = await openEmbeddedPostgres({ dataDir, clock })
  const recording = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'top' }
  await withClient(first.url, async (client) => {
    for (const [name, value] of Object.entries({ ...recording, max_wal_size: '4GB', ...settings }))
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  })
  await first.release()
  const server = await openEmbeddedPostgres({ dataDir, clock })
  const pid = await withClient(server.url, async (client) => {
    await client.query('CREATE EXTENSION pg_stat_statements')
    const { rows } = await client.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`)
    return Number((await readFile(`${rows[0]?.folder}/postmaster.pid`, 'utf8')).split('\n')[0])
  })
  return {
    url: server.url,
    cpuMs: () => postgresCpuMs(pid),
    begin: () => withClient(server.url, (client) => client.query('SELECT pg_stat_statements_reset()')),
    statements: (): Promise<Statement[]> =>
      withClient(server.url, async (client) => {
        const { rows } = await client.query<Statement>(
          `SELECT query, sum(calls)::int AS calls, sum(total_exec_time)::float AS total,
                  sum(shared_blks_hit + shared_blks_read)::float AS buffers
           FROM pg_stat_statements GROUP BY query ORDER BY total DESC`,
        )
        return rows
      }),
    release: () => server.release(),
  }
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
