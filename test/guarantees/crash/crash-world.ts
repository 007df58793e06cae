// A case's own world without an app in it: the app is in the child. Here are its database, the sandbox, and the wire between.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFileSettings } from '#config/settings.ts'
import type { App } from '#src/app.ts'
import { openDatabase } from '#src/database/database.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { testDatabase } from '#test/support/database.ts'
import { handOver } from '#test/support/hand-over.ts'
import { openInterferingProxy } from '#test/support/interfering-proxy.ts'
import { type World, type WorldOptions, worldFile } from '#test/support/world.ts'

/** The harness shows itself to PostgreSQL by another name than the worker, so that it can wait for the dead one's connections. */
const harnessName = 'crash-harness'

/** Its `app` is the database and the ledger, enough for the auditor; every other part lives in the child. */
export async function openCrashWorld(options: WorldOptions): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const copy = stack.use(await testDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'credsync-crash-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const sandbox = await openSandbox({ pace: { queueMs: 30, progressMs: 30 }, reportLagMs: 20 }, systemClock)
  stack.defer(() => sandbox.close())
  const wire = await openInterferingProxy(sandbox.url)
  stack.defer(() => wire.close())
  const database = stack.use(openDatabase(`${copy.url}?application_name=${harnessName}`, { connections: 1 }))
  const ledger = await openLedger(database, 'development')
  const closing = stack.move()
  return {
    app: { database, ledger } as App,
    sandbox,
    wire,
    folder,
    settings: {
      configPath: 'test',
      baseUrl: wire.url,
      key: new Secret(sandbox.key),
      secret: new Secret(sandbox.secret),
      databaseUrl: new Secret(copy.url),
      redisUrl: options.redisUrl ? new Secret(options.redisUrl) : null,
      dataDir: folder,
      file: parseFileSettings(worldFile(sandbox, options)),
    },
    databaseUrl: copy.url,
    receive: handOver(ledger, folder),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Whether the server still works for a worker: a killed one's last statement may be under way for a moment. */
export async function workerConnections({ app }: World): Promise<number> {
  const { rows } = await app.database.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'credsync%'`,
  )
  return rows[0]?.count ?? 0
}
