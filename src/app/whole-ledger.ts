// Opens the ledger together with the data that the extensions keep in it.

import { certificateStores } from '#src/extensions/certificates/ledger/certificate-stores.ts'
import { consoleStores } from '#src/extensions/console/ledger/console-stores.ts'
import { learningStores } from '#src/extensions/lms/ledger/learning-stores.ts'
import { rowsOfCompletions } from '#src/extensions/lms/ledger/rows-of-completions.ts'
import { noticeStore } from '#src/extensions/notices/ledger/notice-store.ts'
import { privacyStores } from '#src/extensions/privacy/ledger/privacy-stores.ts'
import { type LedgerOptions, openLedger } from '#src/ledger/ledger.ts'
import type { Database } from '#src/platform/database/database.ts'

export type WholeLedger = Awaited<ReturnType<typeof openWholeLedger>>

/**
 * @param db with all migrations applied
 * @param environment `any` for commands that only read
 * @throws HashKeyError
 */
export async function openWholeLedger(
  db: Database,
  environment: string,
  options: Omit<LedgerOptions, 'elsewhere'> = {},
) {
  const ledger = await openLedger(db, environment, {
    ...options,
    elsewhere: rowsOfCompletions,
  })
  return {
    ...ledger,
    ...certificateStores(db, ledger),
    ...consoleStores(db, ledger),
    ...learningStores(db, ledger),
    ...privacyStores(db, ledger),
    notices: noticeStore(db, environment),
  }
}
