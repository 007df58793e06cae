// All verbs about learning systems, under their nouns.

import type { Database } from '#src/database/database.ts'
import { completionVerbs } from './completions.ts'
import { deliveryVerbs } from './deliveries.ts'
import { learningSystemVerbs } from './learning-systems.ts'
import { lookBackVerbs } from './look-back.ts'
import { tellVerbs } from './tells.ts'

export function learningVerbs(db: Database, environment: string, lostAfterMs: number) {
  return {
    completions: completionVerbs(db, environment),
    deliveries: deliveryVerbs(db, environment),
    learningSystems: learningSystemVerbs(db, environment, lostAfterMs),
    lookBack: lookBackVerbs(db, environment),
    tells: tellVerbs(db, environment),
  }
}
