// Vitest's global setup: starts a PostgreSQL and, if the machine has it, a Redis for the whole run. Tests find them
// through the environment.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { preparedDatabase } from './database.ts'
import { useMemoryFolder } from './memory-folder.ts'
import { startRedis } from './redis-server.ts'

/**
 * Sets CREDSYNC_TEST_POSTGRES and CREDSYNC_TEST_REDIS unless they are already set, and CREDSYNC_TEST_TEMPLATE, the URL
 * of the database that tests copy. Servers that it started are stopped at the end.
 */
export default async function startServers(): Promise<() => Promise<void>> {
  const started = new AsyncDisposableStack()
  await useMemoryFolder(started)
  if (!process.env.CREDSYNC_TEST_POSTGRES) await startPostgres(started)
  if (process.env.CREDSYNC_TEST_POSTGRES) {
    const template = await preparedDatabase()
    started.defer(() => template.drop())
    process.env.CREDSYNC_TEST_TEMPLATE = template.url
  }
  if (!process.env.CREDSYNC_TEST_REDIS) await startSharedRedis(started)
  return () => started.disposeAsync()
}

async function startPostgres(started: AsyncDisposableStack): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credsync-test-postgres-'))
  // As root, the server runs under another account, which needs access; otherwise its data would go to a permanent
  // folder.
  await chmod(dataDir, 0o755)
  try {
    const open = () => openEmbeddedPostgres({ dataDir, clock: systemClock })
    const first = await open()
    await configure(first.url)
    // The maximum number of connections takes effect at the next start.
    await first.release()
    const postgres = await open()
    started.defer(async () => {
      await endLeftovers(postgres.url)
      const outcome = await postgres.release()
      if (outcome === 'stopped') await rm(dataDir, { recursive: true, force: true })
      else console.warn(`The tests' PostgreSQL in ${dataDir} is ${outcome}.`)
    })
    process.env.CREDSYNC_TEST_POSTGRES = postgres.url
  } catch (error) {
    // Tests without a database still run. The others are skipped with a notice, or fail if CI is set.
    console.warn(`No PostgreSQL for the tests: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Sets what tests need. The connections are enough for eight workers with their queues, about thirty each, and for the
 * other tests.
 */
async function configure(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('ALTER SYSTEM SET max_connections = 500')
  // Test data does not have to survive a crash. Tests that stop a server start their own.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await client.query(`ALTER SYSTEM SET ${setting} = off`)
  // The data is in memory, where writing a page through another process costs more than writing it directly.
  await client.query("ALTER SYSTEM SET io_method = 'sync'")
  // Tests open about ten thousand connections, and proving the password without showing it is a third of the cost of
  // each. On the loopback interface of a server that lives for one run, it is simply shown.
  await client.query('SET scram_iterations = 1')
  await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${client.escapeLiteral(client.password ?? '')}`)
  const { rows } = await client.query<{ hba_file: string }>('SHOW hba_file')
  const hbaFile = client.escapeLiteral(rows[0]?.hba_file ?? '')
  await client.query(`COPY (SELECT 'host all all 127.0.0.1/32 password') TO ${hbaFile}`)
  await client.end()
}

// Closes connections that are still open, such as leaked ones, which would otherwise keep the server running.
async function endLeftovers(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  )
  await client.end()
}

async function startSharedRedis(started: AsyncDisposableStack): Promise<void> {
  const server = await startRedis()
  if (!server) return
  started.defer(() => server.stop())
  process.env.CREDSYNC_TEST_REDIS = server.url
}
