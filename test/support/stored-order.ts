// Opens a ledger whose statements read rows as they are stored, and put them into order only where they say so: without
// indexes that happen to have the order, and without sorting for groups.

import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import type { TestLedger } from './test-ledger.ts'

const switchedOff = ['indexscan', 'indexonlyscan', 'bitmapscan', 'sort', 'incremental_sort']

export async function openUnordered({
  url,
  ledger,
}: TestLedger): Promise<AsyncDisposable & { ledger: WholeLedger; database: Database }> {
  const unordered = new URL(url)
  const settings = ['search_path=credsync', ...switchedOff.map((name) => `enable_${name}=off`)]
  unordered.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '))
  const database = openDatabase(unordered.href)
  return {
    database,
    ledger: await openWholeLedger(database, ledger.environment),
    [Symbol.asyncDispose]: () => database.close(),
  }
}
