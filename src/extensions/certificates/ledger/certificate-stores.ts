// What the ledger knows of certificates.

import type { Database } from '#src/platform/database/database.ts'
import { archiveStore } from './archives.ts'

export const certificateStores = (
  db: Database,
  { environment, lostAfterMs }: { environment: string; lostAfterMs: number },
) => ({ archives: archiveStore(db, environment, lostAfterMs) })
