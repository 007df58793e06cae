// Opens what the rest of the program uses of learning systems: the systems, the rows of their completions, and the
// targets to which outcomes are delivered.

import type { FileSettings } from '#config/schema.ts'
import type { LearningStores } from '#src/extensions/lms/ledger/learning-stores.ts'
import type { SystemTools } from '#src/extensions/lms/systems/system-kind.ts'
import type { OutcomeTargets } from '#src/issuing/results/outcome-targets.ts'
import { openBottleneckGate } from '#src/platform/limits/bottleneck-gate.ts'
import { openLocalSlots } from '#src/platform/limits/local-slots.ts'
import type { Queues } from '#src/platform/queue/open-queues.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type LearningSystems, openLearningSystems } from './open-learning-systems.ts'
import { rowsOfSystems } from './rows-of-system.ts'

interface Parts {
  ledger: LearningStores
  queues: Pick<Queues, 'enqueue'>
}

/** The learning systems of the configuration, each behind a limiter of this process. */
export const openLearning = (
  { settings, clock }: { settings: { file: FileSettings }; clock: Clock },
  { send }: Pick<SystemTools, 'send'>,
): LearningSystems =>
  openLearningSystems(settings.file, {
    send,
    clock,
    gateFor: (name, limits) => openSystemLimiter(name, limits, clock),
  })

export const learningParts = ({ ledger, queues }: Parts, learning: LearningSystems) => ({
  learning,
  rowsOf: rowsOfSystems({ ledger, learning }),
  outcomeTargets: openOutcomeTargets(ledger, learning, queues),
})

/**
 * Opens the limiter of this process for one learning system, so that our requests do not slow it down for its learners.
 */
function openSystemLimiter(name: string, { perSecond, atOnce }: { perSecond: number; atOnce: number }, clock: Clock) {
  const slots = openLocalSlots({ limit: perSecond, marginMs: 0 }, clock)
  const gate = openBottleneckGate({ name, limit: perSecond, maxConcurrent: atOnce, slots, clock })
  return <Answer>(work: () => Promise<Answer>) => gate.pass(work)
}

/** Records what has to be delivered to learning systems and webhooks, and queues its delivery. */
const openOutcomeTargets = (
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
