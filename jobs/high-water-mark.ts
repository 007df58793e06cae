// Keeps the high-water mark, the number of the last claim, in places outside the ledger (its keepers: a file, and Redis
// if there is one). It is recorded between the claim and the call, and compared with the ledger regularly. If the
// ledger has lost the record of a call, nothing is sent until an operator has decided, because credentials would be
// issued again to the people of that call.

import { type Outcome, withoutAnswer } from '#src/issuer/sending/outcome.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import type { EndedCall } from '#src/ledger/attempts/outcomes.ts'
import type { MarkComparison } from '#src/ledger/attempts/sending-stops.ts'
import type { EventFields } from '#src/platform/log/events.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { Tools } from './job-tools.ts'

type MarkTools = Pick<Tools, 'ledger' | 'mark' | 'log'>

/** Compares the ledger with its mark, and stops sending if calls are missing from the ledger. */
async function compareMark(tools: MarkTools): Promise<MarkComparison> {
  const { ledger, mark, log } = tools
  const witnesses = await mark.read()
  const comparison = await ledger.sendingStops.compare(witnesses)
  logStop(tools, comparison)
  const formerSystem = mark.nameSystem(comparison.system)
  if (comparison.stop) return comparison
  if (formerSystem !== null) log.event('ledger.moved', { label: `${formerSystem}, now ${comparison.system}` })
  // A keeper that is new or was emptied gets the current mark.
  const { last: lastClaim } = comparison
  if (lastClaim.number === 0 || witnesses.every((witness) => witness.mark?.token === lastClaim.token)) return comparison
  // A keeper that was unavailable during the first comparison may hold a mark that is missing from the ledger.
  const { needsComparison, before } = await mark.raise({ ...lastClaim, before: null })
  if (!needsComparison) return comparison
  const secondComparison = await ledger.sendingStops.compare(before)
  logStop(tools, secondComparison)
  return secondComparison
}

/** Compares once at the start of a worker, and logs a sending stop even if it is not new, so that it is noticed. */
export async function compareMarkAtStart(tools: MarkTools): Promise<void> {
  const { stop, isNew } = await compareMark(tools)
  if (!isNew) logStop(tools, { stop, isNew: true })
}

/** Compares on each sweep. If a keeper or the ledger is unavailable, the next claim compares again. */
export async function compareMarkAgain(tools: MarkTools): Promise<void> {
  await compareMark(tools).catch((error: Error) => tools.log.event('fault', { where: 'mark', error: faultName(error) }))
}

/**
 * Makes the call once the claim is recorded as the mark. If calls are missing from the ledger, the call is not made and
 * its outcome is unknown: one of the missing calls may have been for the same people. If no keeper accepts the mark,
 * nothing is sent.
 */
export async function callOnceMarked(
  tools: MarkTools,
  claim: CommittedClaim,
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  const { kept, needsComparison, before } = await tools.mark.raise(claim)
  if (needsComparison) {
    const comparison = await tools.ledger.sendingStops.compare(before)
    logStop(tools, comparison)
    if (comparison.stop) return withoutAnswer('unknown', 'LEDGER_SET_BACK')
  }
  return kept ? call() : withoutAnswer('not_sent', 'NO_MARK')
}

/** Logs an outcome that arrived too late or no longer has a claim in the ledger, so that none is dropped silently. */
export function reportForgottenCall(
  { log }: Pick<Tools, 'log'>,
  logFields: EventFields,
  { found, rows }: EndedCall,
): void {
  if (found === 'late') log.event('outcome.late', logFields)
  if (found === 'forgotten') log.event('outcome.forgotten', { ...logFields, rows })
}

function logStop({ log }: MarkTools, { stop, isNew }: Pick<MarkComparison, 'stop' | 'isNew'>): void {
  if (stop && isNew) log.event('sending.stopped', { environment: stop.environment, reason: stop.reason })
}
