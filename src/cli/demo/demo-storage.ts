// Chooses where a demo stores its data: in the embedded database or, on a machine that has none, in a database of its
// own on the server of DATABASE_URL. Never in the database that DATABASE_URL names, because each demo drops the ledger
// of the one before.

import { join, resolve } from 'node:path'
import { makeDataDir } from '#src/app/storage.ts'
import { demoDatabase, openDemoDatabase } from '#src/ledger/demo-database.ts'
import { hasPackagedBinaries } from '#src/platform/database/embedded-binaries.ts'
import type { Machine } from '#src/platform/database/embedded-machine.ts'
import { Secret } from '#src/platform/secret.ts'
import type { Cli } from '../cli-context.ts'
import { UsageError } from '../exit-code.ts'
import type { DemoStorage } from './demo-settings.ts'

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
