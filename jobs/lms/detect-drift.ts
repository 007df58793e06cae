// At night, reads the profiles of a learning system again over the network, because verified values may have been
// overwritten since, and updates the ledger. It works in short batches, so that no event has to wait for it, and stops
// when all profiles are checked. Learners who could not be checked come first the next night.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { LearnerToCheck } from '#src/extensions/lms/ledger/drift.ts'
import { detectDriftAt } from '#src/extensions/lms/sync/detect-drift.ts'
import { nightlyScheduleOf } from '#src/extensions/lms/sync/nightly-schedule.ts'
import type { PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { learnersOf, sentenceOf } from '#src/extensions/lms/systems/problems.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'
import { done, snooze, type Verdict } from '#src/platform/queue/verdict.ts'

const batchSize = 50
const pauseMs = 200
const unavailableRetryMs = 10 * 60_000

export type DriftTools = Pick<ExtensionTools, 'ledger' | 'learning' | 'log' | 'clock'>

export async function detectDrift(tools: DriftTools, { system }: { system: string }): Promise<Verdict> {
  const { ledger, learning } = tools
  const lms = learning.polled.find(({ name }) => name === system)
  if (!lms?.readProfile) return done()
  const hasMore = await ledger.locks.withLock(`detect-drift:${system}`, () => checkBatch(tools, lms), false)
  return hasMore ? snooze(pauseMs, 'more profiles to check') : done()
}

/** @returns whether more profiles remain to be checked */
async function checkBatch(tools: DriftTools, lms: PolledSystem): Promise<boolean> {
  const { ledger, learning, log, clock } = tools
  const { name: system } = lms
  if (!(await ledger.drift.begin(system))) return false
  try {
    for (const target of learning.profileTargetsOf(system)) {
      const learners = await ledger.drift.due(system, target, batchSize)
      for (const learner of learners) await checkLearner(tools, { lms, target }, learner)
      if (learners.length > 0) return true
    }
  } catch (error) {
    const failure = systemFailureOf(error)
    if (!failure) throw error
    log.event('system.away', { system, error: failure.name, code: failure.code })
    await ledger.drift.postpone(system, unavailableRetryMs)
    return false
  }
  await ledger.deliveries.complete(
    learning.targets.filter(({ settings }) => 'system' in settings && settings.system === system),
  )
  await ledger.drift.end(system, nightlyScheduleOf(lms, clock.now()).nextAt)
  return false
}

async function checkLearner(
  { ledger, learning, log }: DriftTools,
  { lms: { readProfile }, target }: { lms: PolledSystem; target: string },
  { learner, deliveries }: LearnerToCheck,
): Promise<void> {
  const profile = (await readProfile?.(learner)) ?? null
  // A learner who no longer exists has no profile that could be wrong.
  const findings = profile
    ? detectDriftAt(profile, deliveries, (pipeline) => learning.profileFieldsOf(pipeline, target))
    : deliveries.map((delivery) => ({ delivery, found: { found: 'same' as const } }))
  const [targetKind = target] = target.split(' ')
  for (const { delivery, found } of findings) {
    await ledger.drift.note(
      delivery,
      found.found === 'other' ? { ...found, problem: sentenceOf({ learner, sentence: found.problem }) } : found,
    )
    if (found.found === 'same' || (found.found === 'other' && delivery.state === 'drifted')) continue
    const { pipeline, issuanceId: issuance } = delivery
    const learnerNumber = learnersOf([{ learner }])
    const outcome = found.found === 'again' ? 'delivered again' : 'left'
    log.event('delivery.drift', { pipeline, target: targetKind, issuance, learner: learnerNumber, outcome })
  }
}
