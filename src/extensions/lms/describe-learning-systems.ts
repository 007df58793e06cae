// Describes learning systems for `events` and `status`: the events that were not understood, the status of each system,
// and the completions and deliveries that are waiting. Pure.

import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import type { DeliveryCounts } from '#src/extensions/lms/ledger/delivery-counts.ts'
import type { InboundCounts, UnreadableEvent } from '#src/extensions/lms/ledger/inbound-events.ts'
import type { SystemStatus } from '#src/extensions/lms/ledger/learning-systems.ts'
import type { InvalidCompletions, WaitingCompletionCounts } from '#src/extensions/lms/ledger/refused-completions.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { minuteOf } from '#src/platform/time/duration.ts'

interface Configured {
  /** False if the configuration no longer has the system, or the pipeline no longer issues its completions. */
  configured: boolean
}

export interface LmsStatus {
  /** Those that were not understood. */
  events: readonly UnreadableEvent[]
  /** Totals that include events that are not shown. */
  counts: readonly (InboundCounts & Configured)[]
  systems: readonly SystemStatus[]
  completions: readonly (WaitingCompletionCounts & Configured)[]
  invalid: readonly InvalidCompletions[]
  deliveries: readonly DeliveryCounts[]
}

/**
 * Returns true if something is waiting for an operator. Systems and pipelines that are no longer configured do not
 * count.
 */
export function needsPerson({ counts, systems, completions, invalid, deliveries }: LmsStatus): boolean {
  return (
    counts.some(({ configured, strange, held }) => configured && (strange > 0 || held !== null)) ||
    systems.some(hasProblem) ||
    completions.some(({ configured, refused }) => configured && refused > 0) ||
    invalid.length > 0 ||
    deliveries.some(({ refused, incomplete, drifted, failed }) => refused + incomplete + drifted + failed > 0)
  )
}

export function learningLines({ events, counts, systems, completions, invalid, deliveries }: LmsStatus): string[] {
  const unshownCount = counts.reduce((sum, each) => sum + (each.configured ? each.strange : 0), 0) - events.length
  return [
    ...events.map(({ id, system, arrivedAt, problem }) => `d${id}  ${minuteOf(arrivedAt)} UTC  ${system}  ${problem}`),
    ...(unshownCount > 0 ? [`and ${countOf(unshownCount, 'older event')}`] : []),
    ...counts.flatMap(waitingLines),
    ...systems.filter(({ watched }) => watched).map(systemLine),
    ...completions.map(({ pipeline, system, ready, refused, configured }) =>
      configured
        ? `pipeline ${pipeline}: ${countOf(ready, 'completion')} from ${system} to be issued${refused > 0 ? `, ${refused} in refused runs: fix what \`credsync status\` reports about them, then \`credsync events replay --system ${system}\`` : ''}`
        : `pipeline ${pipeline}: ${countOf(ready + refused, 'completion')} from ${system}, ${notConfigured}`,
    ),
    ...invalid.map(invalidLine),
    ...deliveries.map(deliveryLine),
  ]
}

const notConfigured = 'which is no longer configured for this pipeline: the completions are kept, but not processed'

function waitingLines({
  system,
  unprocessed,
  strange,
  unclaimed,
  left,
  held,
  configured,
}: LmsStatus['counts'][number]): string[] {
  const kept = unprocessed + strange + unclaimed
  if (!configured) return kept > 0 ? [`${system}: ${countOf(kept, 'event')}. ${noSystem}`] : []
  const unprocessedLine = `${system}: ${countOf(unprocessed, 'event')} to be processed${held === null ? '' : `. ${held}`}`
  const unclaimedLine = `${system}: ${countOf(unclaimed, 'event')} about courses that no pipeline names; once a pipeline names the course, \`credsync events replay --system ${system}\` processes them again`
  const leftLine = `${system}: ${countOf(left, 'event')} about learners who are no longer enrolled or whose account was deleted: nothing was issued; once one is enrolled again, \`credsync events replay --system ${system}\` processes them again`
  return [
    ...(unprocessed > 0 ? [unprocessedLine] : []),
    ...(unclaimed > 0 ? [unclaimedLine] : []),
    ...(left > 0 ? [leftLine] : []),
  ]
}

function invalidLine({ pipeline, system, rule, field, completions, learners, run }: InvalidCompletions): string {
  const learnerWords =
    learners.length === 0
      ? ''
      : ` (${completions > learners.length ? 'e.g. ' : ''}${learners.length === 1 ? 'learner' : 'learners'} ${learners.join(', ')})`
  const remedy = remedyOfRule(rule, field, 'learning system') ?? ''
  return `pipeline ${pipeline}: ${countOf(completions, 'invalid completion')} from ${system}${learnerWords}: ${describeRule(rule, field)}. ${remedy} \`credsync status --run ${run.slice(0, 8)}\` shows the rows.`
}

const noSystem = 'The system is no longer configured: its events are kept, but not processed'

/** Makes the lines that `status` shows in addition to its runs: one for each system or target with a problem. */
export function lmsProblemLines(systems: readonly SystemStatus[], outcomes: readonly DeliveryCounts[]): string[] {
  return [
    ...systems.filter(hasProblem).map(systemLine),
    ...outcomes.filter(({ problem }) => problem !== null).map(deliveryLine),
  ]
}

const hasProblem = ({ watched, problem, unavailableSince }: SystemStatus) =>
  watched && (problem !== null || unavailableSince !== null)

function systemLine({ system, polledAt, problem, unavailableSince, unavailableReason }: SystemStatus): string {
  const polled = polledAt && `last polled ${minuteOf(polledAt)} UTC`
  const away = unavailableSince && `unavailable since ${minuteOf(unavailableSince)} UTC: ${unavailableReason}`
  const parts = [polled, problem === unavailableReason ? null : problem, away].flatMap((part) => part || [])
  return `system ${system}: ${parts.join('. ').replaceAll('.. ', '. ') || 'not fully polled yet'}`
}

function deliveryLine({ pipeline, target, problem, refused, ...counts }: DeliveryCounts): string {
  const stateCounts = (['verified', 'written', 'pending', 'incomplete', 'drifted', 'failed'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${state}${state === 'pending' && refused > 0 ? ` (${refused} refused)` : ''}`)
  if (counts.accountDeleted > 0) stateCounts.push(`${counts.accountDeleted} whose account was deleted`)
  const deliverAgain =
    problem !== null && refused + counts.drifted + counts.failed > 0
      ? ` To deliver the outcomes again: \`credsync events deliver --pipeline ${pipeline}\`.`
      : ''
  return `${pipeline} → ${target}: ${stateCounts.join(', ')}${problem ? `. ${problem}` : ''}${deliverAgain}`
}

/** The document of `events --json`, whose names scripts rely on. */
export const learningDocument = ({ events, ...status }: LmsStatus): object => ({
  events: events.map((event) => ({ ...event, id: `d${event.id}` })),
  ...status,
})
