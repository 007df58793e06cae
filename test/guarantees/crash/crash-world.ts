// The world of a case: its database, sandbox and network. The app itself runs in the child process.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFileSettings } from '#config/settings.ts'
import { openSandbox } from '#sandboxes/service/open-sandbox.ts'
import type { App } from '#src/app/app.ts'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { testDatabase } from '#test/support/database.ts'
import { handOver } from '#test/support/hand-over-file.ts'
import { openInterferingProxy } from '#test/support/interfering-proxy.ts'
import { type World, type WorldOptions, worldFile } from '#test/support/world.ts'

/**
 * The test connects to PostgreSQL under another application name, so that it can wait for the dead worker's connections
 * to close.
 */
const harnessName = 'crash-harness'

/**
 * The `app` of this world has only the database and the ledger, which is enough for the auditor; the rest runs in the
 * child process.
 */
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
  const ledger = await openWholeLedger(database, 'development')
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

/**
 * The number of workers' connections that the server still has open: the last statement of a killed worker may continue
 * briefly.
 */
export async function workerConnections({ app }: World): Promise<number> {
  const { rows } = await app.database.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'credsync%'`,
  )
  return rows[0]?.count ?? 0
}
