// Makes the settings of a demo and prepares its storage: the embedded database or, on a machine that has none, a
// database of its own on the server of DATABASE_URL. It is never the database that DATABASE_URL names, because each
// demo drops the ledger of the one before.

import { join, resolve } from 'node:path'
import type { FileSettings } from '#config/schema.ts'
import type { Settings } from '#config/settings.ts'
import { makeDataDir, openStorage } from '#src/app/storage.ts'
import { type Cli, say } from '#src/cli/cli-context.ts'
import { UsageError } from '#src/cli/exit-code.ts'
import { demoDatabase, dropDemoLedger, openDemoDatabase } from '#src/ledger/demo-database.ts'
import { removeMarks } from '#src/ledger/mark/keep-in-file.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { hasPackagedBinaries } from '#src/platform/database/embedded-binaries.ts'
import type { Machine } from '#src/platform/database/embedded-machine.ts'
import { Secret } from '#src/platform/secret.ts'

/** @throws UsageError if the database cannot be created, or if it was not created for demos */
export async function demoStorage(cli: Pick<Cli, 'env' | 'cwd'>, machine?: Machine): Promise<DemoStorage> {
  const dataDir = join(resolve(cli.cwd, cli.env.CREDSYNC_DATA_DIR || './data'), 'demo')
  await makeDataDir(dataDir)
  if (await hasPackagedBinaries(machine)) return { dataDir, databaseUrl: null }
  const { readStorageSettings } = await import('#config/storage-settings.ts')
  const { databaseUrl } = await readStorageSettings({ env: cli.env, cwd: cli.cwd })
  // Without it, opening the embedded database says what to do.
  if (!databaseUrl) return { dataDir, databaseUrl: null }
  const opened = await openDemoDatabase(databaseUrl.reveal())
  if ('refused' in opened) throw new UsageError(refusals[opened.refused])
  return { dataDir, databaseUrl: new Secret(opened.url) }
}

/** The sentence at the start of a demo that says what leaves this machine. */
export function whatLeaves({ databaseUrl }: DemoStorage): string {
  return databaseUrl
    ? `There is no embedded PostgreSQL here, so the samples go into a database of their own, ${demoDatabase}, on the server of DATABASE_URL.`
    : 'Nothing leaves this machine.'
}

const refusals = {
  permission: `The demo needs a database of its own, and the role of DATABASE_URL may not create one. As an administrator of the server, run once: CREATE DATABASE ${demoDatabase} OWNER the_role; COMMENT ON DATABASE ${demoDatabase} IS 'credsync demo'`,
  foreign: `The server of DATABASE_URL has a database ${demoDatabase} that is not marked as one for demos, which drop the ledger in it. If it may be used, run: COMMENT ON DATABASE ${demoDatabase} IS 'credsync demo'`,
}

/** The data folder, and the database if it is not the embedded one. */
export type DemoStorage = Pick<Settings, 'dataDir' | 'databaseUrl'>

/** Returns the settings of a demo, with the sandbox as the service. */
export function demoSettings(
  sandbox: { url: string; key: string; secret: string },
  storage: DemoStorage,
  file: FileSettings,
): Settings {
  return {
    configPath: 'built into the demo',
    baseUrl: sandbox.url,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    redisUrl: null,
    ...storage,
    file,
  }
}

/**
 * Drops the ledger of an earlier demo from the database, and its marks from the data directory: the sandbox loses
 * everything when it stops, so the ledger must not contain the recipients of an earlier demo.
 * @throws UsageError if another demo is running
 */
export async function clearPreviousDemo(cli: Cli, settings: Settings): Promise<void> {
  const storage = await openStorage(settings, { clock: cli.clock, notice: (text) => say(cli, text) })
  try {
    await using database = openDatabase(storage.url, { connections: 2 })
    if (!(await dropDemoLedger(database)))
      throw new UsageError(
        settings.databaseUrl
          ? 'Another demo is running on this server. Wait until it has finished.'
          : 'Another demo is running on this data directory. Wait until it has finished, or set CREDSYNC_DATA_DIR to another directory.',
      )
    await removeMarks(settings.dataDir)
  } finally {
    await storage.release()
  }
}
