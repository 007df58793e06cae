// What the ledger knows of certificates.

import type { Ledger } from '#src/ledger/ledger.ts'
import type { Database } from '#src/platform/database/database.ts'
import { archiveStore } from './archives.ts'

export const certificateStores = (
  db: Database,
  { environment, lostAfterMs, work }: Pick<Ledger, 'environment' | 'lostAfterMs' | 'work'>,
) => ({
  archives: archiveStore(db, environment, lostAfterMs),
  work: {
    ...work,
    /** Archives are due again as well. */
    async forgetEnqueued() {
      await work.forgetEnqueued()
      await db.query('UPDATE archive SET asked_at = NULL WHERE environment = $1', [environment])
    },
  },
})
