// What the ledger knows of people who are forgotten, and of data that expire.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Database } from '#src/platform/database/database.ts'
import { erasureStore } from './erasure-store.ts'
import { erasedFileStore } from './files-to-clean.ts'
import { recordedErasureStore } from './recorded-erasures.ts'
import { retentionStore } from './retention.ts'

export const privacyStores = (
  db: Database,
  { id, environment, hasher }: { id: string; environment: string; hasher: Hasher },
) => ({
  erasures: {
    ...erasureStore(db, environment, hasher),
    ...recordedErasureStore(db, environment, id, hasher),
    ...erasedFileStore(db),
  },
  retention: retentionStore(db, environment, hasher),
})
