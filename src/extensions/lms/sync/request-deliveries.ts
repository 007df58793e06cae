// Records what is to be delivered to learning systems and webhooks, and queues its delivery.

import type { LearningStores } from '#src/extensions/lms/ledger/learning-stores.ts'
import type { OutcomeTargets } from '#src/issuing/results/outcome-targets.ts'
import type { Queues } from '#src/platform/queue/open-queues.ts'
import type { LearningSystems } from './open-learning.ts'

export const openOutcomeTargets = (
  ledger: Pick<LearningStores, 'deliveries'>,
  learning: Pick<LearningSystems, 'targetsOf'>,
  queues: Pick<Queues, 'enqueue'>,
): OutcomeTargets => ({
  async request({ id, pipeline }) {
    const targets = learning.targetsOf(pipeline)
    if (targets.length === 0) return
    await ledger.deliveries.request(id, targets)
    await queues.enqueue('learning', { kind: 'deliver', pipeline })
  },
})
