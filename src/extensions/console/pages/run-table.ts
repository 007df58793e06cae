// What lists of runs say of each run. Pure.

import {
  countIn,
  needsOperatorStates,
  noStates,
  type StateCounts,
  totalOf,
  unsentStates,
  watchedStates,
} from '#src/domain/credential/state.ts'
import type { ListedRun } from '#src/extensions/console/ledger/run-pages.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import { figure, label, numbers, rowName, type TableColumn } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import type { ShownTimes } from '../html/times.ts'

export const countsOf = (run: Pick<ListedRun, 'states'>): StateCounts => ({ ...noStates(), ...run.states })

/** Rows that still move by themselves. */
export const openRows = (states: StateCounts): number => countIn(states, [...unsentStates, ...watchedStates])

/** Rows about which a person has to do something. */
const rowsForPerson = (run: Pick<ListedRun, 'states' | 'invalid'>): number =>
  run.invalid + countIn(countsOf(run), needsOperatorStates)

export function phaseLabel(run: Pick<ListedRun, 'state' | 'settledAt' | 'waits' | 'states'>): Markup {
  if (run.state === 'braked') return label('braked', 'warn')
  if (run.state === 'refused') return label('refused', 'bad')
  if (run.state === 'received') return run.waits ? label('waits', 'warn') : label('received', 'open')
  if (run.settledAt) return label('settled', 'good')
  return label('open', 'open')
}

/** What kind of source it is, if it is not a list. */
function originWords(run: Pick<ListedRun, 'origin' | 'sourcePath'>): string | null {
  if (run.origin === 'adoption') return 'adopted from the report'
  if (run.origin === 'correction') return 'a correction'
  return isCompletionsPath(run.sourcePath) ? 'completions of a learning system' : null
}

export const runColumns: readonly TableColumn[] = [
  rowName('Source'),
  'Pipeline',
  'Received',
  'State',
  numbers('Rows'),
  numbers('Issued'),
  numbers('Open'),
  numbers('Need attention'),
]

export function runCells(run: ListedRun, { base, times }: { base: string; times: ShownTimes }): Markup[] {
  const counts = countsOf(run)
  const isRead = run.state === 'published'
  const origin = originWords(run)
  const remark = origin ?? (isRead && run.accepted === 0 && run.skipped > 0 ? 'nobody new' : null)
  const forPerson = rowsForPerson(run)
  return [
    html`<a href="${base}/runs/${run.id}">${run.sourceName}</a>${remark && html`<span class="remark">${remark}</span>`}`,
    html`${run.pipeline}`,
    times.at(run.receivedAt),
    phaseLabel(run),
    isRead ? figure(run.rows) : html`–`,
    isRead ? figure(counts.issued) : html`–`,
    isRead ? figure(openRows(counts)) : html`–`,
    forPerson > 0 ? html`<strong class="attention">${figure(forPerson)}</strong>` : isRead ? html`0` : html`–`,
  ]
}

/** `480 of 491 settled`. */
export function progressWords(run: Pick<ListedRun, 'states'>): string {
  const counts = countsOf(run)
  const total = totalOf(counts)
  return `${(total - openRows(counts)).toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} settled`
}
