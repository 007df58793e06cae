// The stores of the ledger for learning systems.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Database } from '#src/platform/database/database.ts'
import { completionStore } from './completions.ts'
import { deliveryStore } from './deliveries.ts'
import { driftStore } from './drift.ts'
import { inboundEventStore } from './inbound-events.ts'
import { learningSystemStore } from './learning-systems.ts'

export type LearningStores = ReturnType<typeof learningStores>

export const learningStores = (
  db: Database,
  { environment, hasher, lostAfterMs }: { environment: string; hasher: Hasher; lostAfterMs: number },
) => ({
  completions: completionStore(db, environment, hasher),
  inboundEvents: inboundEventStore(db, environment),
  learningSystems: learningSystemStore(db, environment, lostAfterMs),
  deliveries: deliveryStore(db, environment),
  drift: driftStore(db, environment, lostAfterMs),
})
