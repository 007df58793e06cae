// Delivers one outcome to one target of any kind, over the network, and converts a failure or a client error into the
// result that the ledger stores.

import type { DeliveryResult, DueDelivery } from '#src/extensions/lms/ledger/deliveries.ts'
import { missingMessage, missingOf } from '#src/extensions/lms/targets/credential-text.ts'
import type { DeliveryFailure } from '#src/extensions/lms/targets/delivery-failure.ts'
import type { DeliveryOutcome, TargetKind, TargetTools } from '#src/extensions/lms/targets/target-kind.ts'
import { nextDelay } from '#src/platform/backoff.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'
import type { Target } from './targets-of-pipeline.ts'

export interface DeliveryContext extends TargetTools {
  /** The target of the delivery. */
  target: Pick<Target, 'kind' | 'settings' | 'requestsPublicLink' | 'needs'>
}

const retryBackoff = { baseMs: 30_000, capMs: 6 * 3_600_000 }
/**
 * The maximum wait, whatever a target requests: it might send a date where seconds are expected, and the delivery would
 * wait for years.
 */
const maxWaitMs = 24 * 3_600_000
/**
 * How long a delivery waits when an operator must fix the problem, because credsync does not learn when that has
 * happened. A successful delivery to the same target ends the wait.
 */
const refusedWaitMs = 30 * 60_000

/** Errors of the target are returned, never thrown. Writes to the target; the caller stores the result. */
export async function deliverToTarget(context: DeliveryContext, due: DueDelivery): Promise<DeliveryResult> {
  const { kind, requestsPublicLink, needs } = context.target
  if (kind.showsOne && due.completion === null)
    return {
      kind: 'failed',
      problem:
        'The target does not know the learner: this credential came from a file, or from another learning system.',
    }
  const missing = missingOf(due, needs)
  const incomplete = { kind: 'incomplete' as const, problem: missingMessage(missing, requestsPublicLink) }
  if (kind.isDeliveredOnce && missing.length > 0) return incomplete
  const outcome = await tryDelivery(context, due)
  if (outcome.kind === 'verified') return missing.length > 0 ? incomplete : outcome
  return outcome.kind === 'written' || outcome.kind === 'account_deleted' ? outcome : resultOf(outcome, due, kind)
}

async function tryDelivery(context: DeliveryContext, due: DueDelivery): Promise<DeliveryOutcome> {
  const { kind, settings } = context.target
  try {
    return await kind.deliver(context, settings, due)
  } catch (error) {
    const failure = systemFailureOf(error)
    if (!failure) throw error
    return failure
  }
}

function resultOf(
  failure: DeliveryFailure,
  { tries }: DueDelivery,
  { maxTries = Number.POSITIVE_INFINITY }: TargetKind,
): DeliveryResult {
  const { kind, sentence: problem, isOfCourse, code, retryAfterMs, isGone } = failure
  if (kind === 'record') return { kind: 'failed', problem, ...(isGone && { gone: true }) }
  if (kind === 'refused')
    return {
      kind: 'later',
      problem,
      waitMs: refusedWaitMs,
      refused: { reach: isOfCourse ? 'here' : 'everywhere', code },
    }
  if (tries + 1 >= maxTries) return { kind: 'failed', problem: `${problem} It is not retried after ${maxTries} tries.` }
  const requestedMs = Math.min(retryAfterMs ?? 0, maxWaitMs)
  return { kind: 'later', problem, waitMs: Math.max(nextDelay(tries + 1, retryBackoff), requestedMs), away: true }
}
