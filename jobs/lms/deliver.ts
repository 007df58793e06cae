// Delivers the outcomes of a pipeline to its targets, where learners and teachers see them. Calls the targets over the
// network and updates the ledger. This is separate from issuing: repeating a delivery never issues a credential again.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { DeliveredCredential, DeliveryResult, DueDelivery } from '#src/extensions/lms/ledger/deliveries.ts'
import { deliverToTarget } from '#src/extensions/lms/sync/deliver-to-target.ts'
import type { Target } from '#src/extensions/lms/sync/targets-of-pipeline.ts'
import { learnersOf, sentenceOf } from '#src/extensions/lms/systems/problems.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'

const batchSize = 50
/** After this many failed deliveries in a row, a target is paused for as long as the last of them has to wait. */
const maxConsecutiveRetries = 3

export type DeliverTools = Pick<ExtensionTools, 'ledger' | 'learning' | 'wire' | 'log' | 'clock'>

export async function deliver(tools: DeliverTools, { pipeline }: { pipeline: string }): Promise<Verdict> {
  for (const target of tools.learning.targetsOf(pipeline))
    await tools.ledger.locks.withLock(`delivery:${pipeline}:${target.name}`, () => deliverDue(tools, target), false)
  return done()
}

async function deliverDue(tools: DeliverTools, target: Target): Promise<void> {
  const { ledger, log } = tools
  const { pipeline, name, settings } = target
  const goneReason = await ledger.deliveries.goneReason(name)
  if (goneReason !== null) return ledger.deliveries.giveUp(pipeline, name, goneReason)
  let [previous, retries]: [DeliveryResult | null, number] = [null, 0]
  let hasSucceeded = false
  for (;;) {
    const due = await ledger.deliveries.due(target, batchSize)
    for (const entry of due) {
      const outcome = await deliverOne(tools, target, entry)
      await noteReachable(tools, target, outcome, previous)
      previous = outcome
      if (outcome.kind === 'failed' && outcome.gone) return ledger.deliveries.giveUp(pipeline, name, outcome.problem)
      const isFirstSuccess: boolean = !hasSucceeded && outcome.kind !== 'later' && outcome.kind !== 'failed'
      // An operator may have fixed what caused earlier refusals.
      if (isFirstSuccess) await ledger.deliveries.hurry([name], true)
      hasSucceeded ||= isFirstSuccess
      retries = outcome.kind === 'later' ? retries + retryWeight(entry, outcome) : 0
      if (outcome.kind !== 'later' || retries < maxConsecutiveRetries) continue
      await ledger.deliveries.postpone(pipeline, name, outcome.waitMs, outcome.refused !== undefined)
      return log.event('target.away', { pipeline, target: settings.to })
    }
    if (due.length < batchSize) return
  }
}

/** Delivers one outcome, and records and logs the result. */
async function deliverOne(tools: DeliverTools, target: Target, due: DueDelivery): Promise<DeliveryResult> {
  const { ledger, learning, wire, clock, log } = tools
  const { pipeline, settings, showsOne } = target
  const environment = ledger.environment as 'development' | 'production'
  const shownCredential = showsOne && due.completion ? await ledger.deliveries.shown(pipeline, due.completion) : null
  const context = { learning, send: wire.send, clock, environment, target }
  const result = await deliverToTarget(context, shownCredential ? replacedBy(due, shownCredential) : due)
  // If another credential is shown in its place, missing properties are reported for that credential only.
  const showsAnother = shownCredential !== null && shownCredential.issuanceId !== due.issuanceId
  const outcome = withLearner(due, result.kind === 'incomplete' && showsAnother ? { kind: 'verified' } : result)
  await ledger.deliveries.note(due, outcome)
  const learner = learnersOf([{ learner: due.completion?.learner }])
  const logFields = { pipeline, target: settings.to, issuance: due.issuanceId, learner }
  if (outcome.kind === 'later' && outcome.refused && !due.refused)
    log.event('delivery.refused', { ...logFields, system: due.completion?.system, code: outcome.refused.code })
  if (outcome.kind === 'incomplete') log.event('delivery.incomplete', logFields)
  if (outcome.kind === 'failed') log.event('delivery.failed', logFields)
  return outcome
}

/** Records that the system of the target is unavailable, or is available again. */
async function noteReachable(
  { ledger }: DeliverTools,
  { settings }: Target,
  outcome: DeliveryResult,
  previous: DeliveryResult | null,
): Promise<void> {
  if (!('system' in settings)) return
  const { system } = settings
  if (outcome.kind === 'later' && outcome.away) await ledger.learningSystems.noteAway(system, outcome.problem)
  if (outcome.kind === 'verified' && previous?.kind !== 'verified') await ledger.learningSystems.noteBack(system)
}

/**
 * A refusal that affects every delivery, or that was repeated, pauses the target immediately instead of after further
 * tries.
 */
function retryWeight(
  { refused: earlierRefusal }: DueDelivery,
  { refused }: Extract<DeliveryResult, { kind: 'later' }>,
): number {
  return refused && (earlierRefusal || refused.reach === 'everywhere') ? maxConsecutiveRetries : 1
}

/**
 * Replaces the credential of a delivery. The later date counts: a platform refuses a score that is older than the one
 * it shows.
 */
function replacedBy(due: DueDelivery, shownCredential: DeliveredCredential): DueDelivery {
  return { ...due, ...shownCredential, since: new Date(Math.max(+shownCredential.since, +due.since)) }
}

/** Adds the learner to the message if the failure affects only one learner. */
function withLearner({ completion }: DueDelivery, outcome: DeliveryResult): DeliveryResult {
  if (outcome.kind !== 'failed' || outcome.gone) return outcome
  return { ...outcome, problem: sentenceOf({ learner: completion?.learner, sentence: outcome.problem }) }
}
