// A PostgreSQL for the crash suite alone. A worker with its queues there holds some thirty connections, and six of them at once, beside
// the other suites, are more than the hundred that a server usually gives.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import { systemClock } from '#src/time/clock.ts'

export interface CrashServer extends AsyncDisposable {
  url: string
}

export async function openCrashServer(): Promise<CrashServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credsync-crash-postgres-'))
  // Under root the server runs as another account, which has to get in.
  await chmod(dataDir, 0o755)
  const open = () => openEmbeddedPostgres({ dataDir, clock: systemClock })
  const first = await open()
  await configure(first.url)
  // The number of connections holds from the next start on.
  await first.release()
  const server = await open()
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      if ((await server.release()) === 'stopped') await rm(dataDir, { recursive: true, force: true })
      else console.warn(`The PostgreSQL of the crash suite in ${dataDir} is left running for others.`)
    },
  }
}

async function configure(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('ALTER SYSTEM SET max_connections = 500')
  // The workers are killed here and never the server, so nothing has to outlive its machine.
  await client.query('ALTER SYSTEM SET fsync = off')
  await client.end()
}
