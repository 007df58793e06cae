// Learning systems as `events` and `status` tell of them: what was not understood, what each stands at, what its learners wait for. Pure.

import type { WaitingCompletions } from '#src/ledger/completions.ts'
import type { DeliveryCounts, StrangeDelivery } from '#src/ledger/deliveries.ts'
import type { SystemStanding } from '#src/ledger/learning-systems.ts'
import type { TellStanding } from '#src/ledger/tells.ts'
import { minuteOf } from '#src/time/minute.ts'
import { countOf } from '#src/write-back/count-of.ts'

export interface LearningStanding {
  deliveries: readonly StrangeDelivery[]
  /** How many there are, also of those that are not shown. */
  counts: readonly DeliveryCounts[]
  systems: readonly SystemStanding[]
  completions: readonly WaitingCompletions[]
  tells: readonly TellStanding[]
}

/** Whether something in it waits until somebody does something. */
export function needsPerson({ counts, systems, completions, tells }: LearningStanding): boolean {
  return (
    counts.some(({ strange, held }) => strange > 0 || held !== null) ||
    systems.some(isTroubled) ||
    completions.some(({ refused }) => refused > 0) ||
    tells.some(({ drifted, failed }) => drifted + failed > 0)
  )
}

export function learningLines({ deliveries, counts, systems, completions, tells }: LearningStanding): string[] {
  const unshown = counts.reduce((sum, each) => sum + each.strange, 0) - deliveries.length
  return [
    ...deliveries.map(
      ({ id, system, arrivedAt, problem }) => `d${id}  ${minuteOf(arrivedAt)} UTC  ${system}  ${problem}`,
    ),
    ...(unshown > 0 ? [`and ${countOf(unshown, 'older event')}`] : []),
    ...counts.flatMap(waitingLines),
    ...systems.filter(({ watched }) => watched).map(systemLine),
    ...completions.map(
      ({ pipeline, system, ready, refused }) =>
        `pipeline ${pipeline}: ${countOf(ready, 'completion')} of ${system} to be issued${refused > 0 ? `, ${refused} of refused runs: mend what \`credsync status\` says of them, then \`credsync events replay --system ${system}\`` : ''}`,
    ),
    ...tells.map(tellLine),
  ]
}

function waitingLines({ system, unjudged, unclaimed, held }: DeliveryCounts): string[] {
  const ours = `${system}: ${countOf(unjudged, 'event')} to be judged${held === null ? '' : `. ${held}`}`
  const nobodys = `${system}: ${countOf(unclaimed, 'event')} of courses that no pipeline names; when one does, \`credsync events replay --system ${system}\` has them judged again`
  return [...(unjudged > 0 ? [ours] : []), ...(unclaimed > 0 ? [nobodys] : [])]
}

/** What `status` says besides its runs: a line for each that is in trouble. */
export function troubleLines(systems: readonly SystemStanding[], tells: readonly TellStanding[]): string[] {
  return [
    ...systems.filter(isTroubled).map(systemLine),
    ...tells.filter(({ problem }) => problem !== null).map(tellLine),
  ]
}

const isTroubled = ({ watched, problem }: SystemStanding) => watched && problem !== null

function systemLine({ system, polledAt, problem }: SystemStanding): string {
  const asked = polledAt && `last asked ${minuteOf(polledAt)} UTC`
  return `system ${system}: ${[asked, problem].filter(Boolean).join('. ') || 'not asked to the end yet'}`
}

function tellLine({ pipeline, target, problem, ...counts }: TellStanding): string {
  const shown = (['verified', 'written', 'pending', 'drifted', 'failed'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${state}`)
  const again =
    problem !== null && counts.drifted + counts.failed > 0
      ? ` To tell again: \`credsync events tell --pipeline ${pipeline}\`.`
      : ''
  return `${pipeline} → ${target}: ${shown.join(', ')}${problem ? `. ${problem}` : ''}${again}`
}

/** What `events --json` says. */
export function learningDocument({ deliveries, counts, systems, completions, tells }: LearningStanding): object {
  return {
    deliveries: deliveries.map((each) => ({ ...each, id: `d${each.id}` })),
    counts,
    systems,
    completions,
    tells,
  }
}
