// What the console reads and keeps in the ledger.

import type { Database } from '#src/platform/database/database.ts'
import { consoleActStore } from './acts.ts'
import { issuedListStore } from './issued-lists.ts'
import { consoleReadingStore } from './overview.ts'
import { consolePersonStore } from './people.ts'
import { runPageStore } from './run-pages.ts'
import { consoleSessionStore } from './sessions.ts'

export const consoleStores = (db: Database, { environment }: { environment: string }) => ({
  consolePeople: consolePersonStore(db, environment),
  consoleSessions: consoleSessionStore(db, environment),
  consoleActs: consoleActStore(db, environment),
  consoleReadings: consoleReadingStore(db, environment),
  issuedLists: issuedListStore(db, environment),
  runPages: runPageStore(db, environment),
})
