// What learning systems are for the rest of the program.

import type { LearningStores } from '#src/extensions/lms/ledger/learning-stores.ts'
import type { Log } from '#src/platform/log/log.ts'
import type { Queues } from '#src/platform/queue/open-queues.ts'
import type { LearningSystems } from './open-learning.ts'
import { openOutcomeTargets } from './request-deliveries.ts'
import { rowsOfSystems } from './rows-of-system.ts'

interface Parts {
  ledger: LearningStores
  queues: Pick<Queues, 'enqueue'>
  log: Log
}

export const learningParts = ({ ledger, queues, log }: Parts, learning: LearningSystems) => ({
  learning,
  rowsOf: rowsOfSystems({ ledger, learning, log }),
  outcomeTargets: openOutcomeTargets(ledger, learning, queues),
})
