// Vitest's global setup: a PostgreSQL and, where the machine has one, a Redis for the whole run. Tests find them in the environment.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import { systemClock } from '#src/time/clock.ts'
import { preparedDatabase } from './database.ts'
import { offerMemory } from './memory-folder.ts'
import { startRedis } from './redis-server.ts'

/**
 * Sets CREDSYNC_TEST_POSTGRES and CREDSYNC_TEST_REDIS unless they are set already, and CREDSYNC_TEST_TEMPLATE, the address of the database
 * that tests get copies of; what it started is stopped at the end.
 */
export default async function startServers(): Promise<() => Promise<void>> {
  const started = new AsyncDisposableStack()
  await offerMemory(started)
  if (!process.env.CREDSYNC_TEST_POSTGRES) await offerPostgres(started)
  if (process.env.CREDSYNC_TEST_POSTGRES) {
    const template = await preparedDatabase()
    started.defer(() => template.drop())
    process.env.CREDSYNC_TEST_TEMPLATE = template.url
  }
  if (!process.env.CREDSYNC_TEST_REDIS) await offerRedis(started)
  return () => started.disposeAsync()
}

async function offerPostgres(started: AsyncDisposableStack): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credsync-test-postgres-'))
  // Under root the server runs as another account, which has to get in; else its data would go to a lasting place.
  await chmod(dataDir, 0o755)
  try {
    const open = () => openEmbeddedPostgres({ dataDir, clock: systemClock })
    const first = await open()
    await configure(first.url)
    // The number of connections holds from the next start on.
    await first.release()
    const postgres = await open()
    started.defer(async () => {
      await endLeftovers(postgres.url)
      const how = await postgres.release()
      if (how === 'stopped') await rm(dataDir, { recursive: true, force: true })
      else console.warn(`The tests' PostgreSQL in ${dataDir} is ${how}.`)
    })
    process.env.CREDSYNC_TEST_POSTGRES = postgres.url
  } catch (error) {
    // Tests without a database run all the same; the others say that they are skipped, or fail where CI is set.
    console.warn(`No PostgreSQL for the tests: ${error instanceof Error ? error.message : error}`)
  }
}

/** Room for eight workers with their queues in it, each with some thirty connections, beside the other tests. */
async function configure(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('ALTER SYSTEM SET max_connections = 500')
  // What the tests write need not outlive the machine; those that stop a server have one of their own.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await client.query(`ALTER SYSTEM SET ${setting} = off`)
  await client.end()
}

// A connection that a test forgot would keep the server running, for nobody.
async function endLeftovers(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE starts_with(datname, 'test_')")
  await client.end()
}

async function offerRedis(started: AsyncDisposableStack): Promise<void> {
  const server = await startRedis()
  if (!server) return
  started.defer(() => server.stop())
  process.env.CREDSYNC_TEST_REDIS = server.url
}
