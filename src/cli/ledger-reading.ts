// For commands that only read the ledger: the database is opened, the service is not.

import { randomBytes } from 'node:crypto'
import { readStorageSettings } from '#config/settings.ts'
import { type Database, openDatabase } from '#src/database/database.ts'
import { type Ledger, openLedger } from '#src/ledger/ledger.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { openStorage } from '#src/storage.ts'
import { type Cli, say } from './surroundings.ts'

export interface LedgerReading extends AsyncDisposable {
  ledger: Ledger
  database: Database
}

export async function readLedger(cli: Cli): Promise<LedgerReading> {
  await using stack = new AsyncDisposableStack()
  const storage = await openStorage(await readStorageSettings({ env: cli.env, cwd: cli.cwd }), {
    clock: cli.clock,
    notice: (text) => say(cli, text),
  })
  stack.defer(() => storage.release())
  const database = openDatabase(storage.url, { connections: 4 })
  stack.defer(() => database.close())
  await migrate(database, randomBytes(32))
  // Reading names no environment: runs and issuances carry theirs.
  const ledger = await openLedger(database, 'any')
  const closing = stack.move()
  return { ledger, database, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
