// A PostgreSQL of the suite's own, with room for eight workers that keep their queues in it: each holds about twenty connections,
// and the server that all tests share has the usual hundred.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import { systemClock } from '#src/time/clock.ts'

export interface RoomyPostgres extends AsyncDisposable {
  url: string
}

/** Starts it. Rejects with EmbeddedPostgresError where the embedded server can't run. */
export async function startRoomyPostgres(): Promise<RoomyPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credsync-network-postgres-'))
  // Under root the server runs as another account, which has to get in.
  await chmod(dataDir, 0o755)
  const open = () => openEmbeddedPostgres({ dataDir, clock: systemClock })
  const first = await open()
  await onServer(first.url, 'ALTER SYSTEM SET max_connections = 400')
  // The data of these tests need not outlive a power cut.
  await onServer(first.url, 'ALTER SYSTEM SET fsync = off')
  await first.release()
  const server = await open()
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await onServer(
        server.url,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE starts_with(datname, $1)',
        ['test_'],
      )
      if ((await server.release()) === 'stopped') await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function onServer(url: string, sql: string, values: string[] = []): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql, values)
  } finally {
    await client.end()
  }
}
