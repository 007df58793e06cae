// The part of a run's page that changes while the run is under way: the sum of its rows, their states, and what they
// wait for. A browser asks for it again every few seconds, so no form is in it.

import { type State, type StateCounts, states as stateNames, totalOf } from '#src/domain/credential/state.ts'
import { type WaitingReason, waitingReasons } from '#src/issuing/descriptions/waiting-reasons.ts'
import { runDocument } from '#src/issuing/results/run-document.ts'
import { countOf, stateWords, whySkipped } from '#src/issuing/results/run-summary.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import {
  bad,
  bar,
  callouts,
  figure,
  nothing,
  numbers,
  rowName,
  rowSum,
  section,
  stateLabel,
  stateParts,
  table,
  warning,
} from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { issuanceLinks } from '../html/recipient.ts'
import { surplusAdvice } from '../html/revocation-status.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, decides, type Visit } from '../visit.ts'

/** At most this many people with a surplus item are named. */
const mostNamed = 50

export type RunProgress = NonNullable<Awaited<ReturnType<typeof progressOf>>>

export async function progressOf({ parts: { ledger } }: Console, id: string) {
  const found = await ledger.runs.withStates(id)
  if (!found) return null
  /** Whether nothing of the run changes by itself any more. */
  const isOver = found.run.settledAt !== null
  /** The issuances of the people of whom the report shows too much; at most one more than are named. */
  const withSurplus = found.surplus > 0 ? await ledger.consoleReadings.withSurplus(id, mostNamed + 1) : []
  return { ...found, withSurplus, isOver, waits: isOver ? [] : waitingReasons(await ledger.waiting.facts(found)) }
}

export async function runProgressFragment(console: Console, visit: Visit, { id }: Run): Promise<Answer> {
  const progress = await progressOf(console, id)
  if (!progress) return { kind: 'missing' }
  return { kind: 'fragment', body: progressBody(console, progress, visit), isLast: progress.isOver }
}

export function progressBody(
  console: Console,
  { run, states, surplus, withSurplus, waits }: RunProgress,
  { visitor }: Pick<Visit, 'visitor'>,
): Markup {
  const { times } = console
  if (run.state === 'refused')
    return callouts([bad('The run was refused, and nothing is issued.', sentence(run.refusal ?? '', times))])
  const waiting = run.state === 'braked' || waits.length === 0 ? null : section('Waits for', waitList(console, waits))
  if (run.state === 'received')
    return html`${section('Being read', html`<p class="big">${run.readRows > 0 ? `${run.readRows.toLocaleString('en-GB')} rows read so far` : 'The file has not been read yet.'}</p>`)}${waiting}`
  if (run.state === 'braked') return null
  return html`${section('Rows', html`${sum(run)}${differences(run, decides(visitor) ? console.address.base : null)}${surplusLine(console, { run, states, surplus, withSurplus })}`)}
${section('States', stateTable(run, states, decides(visitor) ? console.address.base : null))}${waiting}`
}

/** The number of rows as a sum. */
const sum = (run: Run): Markup =>
  rowSum(run.rows, [
    { name: 'accepted', count: run.accepted, remark: 'each in one of the states below' },
    { name: 'invalid', count: run.invalid, remark: 'see below' },
    { name: 'skipped', count: run.skipped, remark: whySkipped(run, run.sourcePath) },
  ])

/** @param base the path before links to decisions; null if the visitor makes none */
const differences = (run: Run, base: string | null): Markup =>
  rowLines(
    { ...run, duplicates: 0 },
    base !== null && html` <a href="${base}/corrections">Changed rows</a> shows those that wait.`,
  )

interface RowCounts extends Pick<Run, 'known' | 'changed' | 'notMeant'> {
  duplicates: number
}

/** What the counts of skipped rows mean. @param corrections where the ones that wait are */
export function rowLines(counts: RowCounts, corrections: Markup = null): Markup {
  const { known, duplicates, notMeant, changed } = counts
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  const lines = [
    known > 0 && html`${countOf(known, 'skipped row')} ${are(known)} in the ledger already, with the same data.`,
    duplicates > 0 &&
      html`${countOf(duplicates, 'skipped row')} ${are(duplicates)} about a person who appears earlier in the file.`,
    notMeant > 0 &&
      html`${countOf(notMeant, 'skipped row')} ${are(notMeant)} excluded by the setting <code>where</code> of the pipeline.`,
    changed > 0 &&
      html`${countOf(changed, 'row')} ${changed === 1 ? 'differs' : 'differ'} from the ledger: corrections, which are never issued automatically.${corrections}`,
  ].filter((line) => line !== false)
  return lines.length > 0 && html`<ul class="plain">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

function surplusLine(
  { times, address: { base } }: Console,
  { run, states, surplus, withSurplus }: Omit<RunProgress, 'waits' | 'isOver'>,
): Markup {
  if (runDocument(run, states, surplus).balanced) return null
  const others = withSurplus.length > mostNamed ? ' and others' : ''
  const people = withSurplus.length > 0 && html`${issuanceLinks(base, withSurplus.slice(0, mostNamed))}${others}. `
  return callouts([
    warning(
      'The report shows more credentials for these people than were requested.',
      html`${people}${sentence(surplusAdvice, times)}`,
    ),
  ])
}

/** @param base the path before links to decisions; null if the visitor makes none */
function stateTable(run: Run, states: StateCounts, base: string | null): Markup {
  const total = totalOf(states)
  if (total === 0) return nothing('No row of this source was accepted.')
  const shown = stateNames.filter((state) => states[state] > 0)
  const rows = shown.map((state) => [
    stateLabel(state),
    figure(states[state]),
    html`${
      stateWords[state] ??
      (state === 'issued' ? 'completed in the report, with a credential id' : 'the credential is no longer valid')
    }${base !== null && decisionLink(state, run, base)}`,
  ])
  const described = shown.map((state) => `${states[state]} ${state}`).join(', ')
  return html`${bar(stateParts(states), described)}${table(`States of the accepted rows of ${run.sourceName}`, [rowName('State'), numbers('Rows'), 'Meaning'], rows)}`
}

/** Links, and no forms: this part is replaced while somebody reads it. */
function decisionLink(state: State, { id }: Run, base: string): Markup {
  if (state === 'failed') return html` <a href="${base}/runs/${id}/retry">Send them again</a>`
  return state === 'held' && html` <a href="${base}/held">Decide</a>`
}

function waitList({ times, parts }: Console, waits: readonly WaitingReason[]): Markup {
  const now = parts.clock.now()
  return html`<ul class="plain">${waits.map(
    ({ what, since, until, next }) =>
      html`<li>${sentence(asSentence(what), times)} <span class="remark">${since && html`Since ${times.at(since)}. `}${until && new Date(until) > now && html`Until ${times.at(until)}. `}${sentence(asSentence(next), times)}</span></li>`,
  )}</ul>`
}
