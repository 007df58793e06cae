// What the ledger knows of certificates.

import type { Ledger } from '#src/ledger/ledger.ts'
import type { Database } from '#src/platform/database/database.ts'
import { archiveStore } from './archives.ts'

export const certificateStores = (
  db: Database,
  { environment, lostAfterMs, work }: Pick<Ledger, 'environment' | 'lostAfterMs' | 'work'>,
) => {
  const archives = archiveStore(db, environment, lostAfterMs)
  return {
    archives,
    work: {
      ...work,
      async forgetEnqueued() {
        await work.forgetEnqueued()
        await archives.forgetEnqueued()
      },
    },
  }
}
