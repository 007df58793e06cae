// Opens the ledger for commands that only read it. Opens and migrates the database; makes no calls to the service.

import { randomBytes } from 'node:crypto'
import { readStorageSettings } from '#config/storage-settings.ts'
import { openStorage } from '#src/app/storage.ts'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { type Cli, say } from './cli-context.ts'

export async function openLedgerForReading(cli: Cli) {
  await using stack = new AsyncDisposableStack()
  const settings = await readStorageSettings({ env: cli.env, cwd: cli.cwd })
  const storage = await openStorage(settings, {
    clock: cli.clock,
    notice: (text) => say(cli, text),
  })
  stack.defer(() => storage.release())
  const database = openDatabase(storage.url, { connections: 4 })
  stack.defer(() => database.close())
  const hashKey = settings.hashKey ? Buffer.from(settings.hashKey.reveal(), 'hex') : null
  await migrate(database, randomBytes(32), hashKey)
  // Reading needs no environment: runs and issuances record their own.
  const ledger = await openWholeLedger(database, 'any', { hashKey })
  const closing = stack.move()
  return { ledger, database, hashKey, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
