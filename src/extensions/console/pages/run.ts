// One run: where all of its rows are, what is wrong with the invalid ones, what it waits for, and its files.

import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import { brakeReason } from '#src/issuing/results/run-summary.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'
import { callouts, facts, figure, numbers, rowName, section, table, warning } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, decides, page, seesNames, type Visit } from '../visit.ts'
import { progressBody, progressOf } from './run-progress.ts'

export async function runPage(console: Console, visit: Visit, { id }: Run): Promise<Answer> {
  const { parts, address, times } = console
  const progress = await progressOf(console, id)
  if (!progress) return { kind: 'missing' }
  const { run, isOver } = progress
  const problems = run.invalid > 0 ? await parts.ledger.violations.byKind(id) : []
  const names = seesNames(visit.visitor)
  const live = isOver ? null : html` data-live="${address.base}/runs/${id}/progress" data-every="3"`
  return page({
    title: run.sourceName,
    back: { href: '/runs', text: 'Runs' },
    lead: html`${run.pipeline}, received ${times.at(run.receivedAt)} <span class="remark">run ${id}</span>`,
    body: html`<div${live}>${progressBody(console, progress, visit)}</div>
${run.state === 'braked' && brakePart(console, run, decides(visit.visitor))}
${problems.length > 0 && section('Invalid rows', problemTable(problems, run, names), invalidNote(console, run, names))}
${run.notices.length > 0 && section('Notes', sentenceList(run.notices, times))}
${section('Files and times', html`${names && fileLinks(console, run)}${runFacts(console, run)}`)}`,
  })
}

/** Clauses of the commands, each as a sentence. */
export const sentenceList = (clauses: readonly string[], times: Console['times']): Markup =>
  html`<ul class="plain">${clauses.map((clause) => html`<li>${sentence(asSentence(clause), times)}</li>`)}</ul>`

function brakePart({ times, address }: Console, { id, brake }: Run, mayDecide: boolean): Markup {
  const path = `${address.base}/runs/${id}`
  return section(
    'Held by the brake',
    html`${callouts([warning(sentence(brakeReason(brake) || 'The run is braked.', times), 'Nothing was issued. Somebody must decide.')])}
${facts([
  ['Would issue', brake && figure(brake.accepted)],
  ['Usual', brake?.usual == null ? 'not known yet' : figure(brake.usual)],
])}
<p>If the run is right, approving it reads it again and issues ${brake?.shown ? 'the people the ledger does not know' : 'it regardless of its size'}. If it is wrong, rejecting it issues nothing.</p>
${
  mayDecide
    ? html`<p class="actions"><a class="button" href="${path}/approve">Approve it</a> <a class="button" href="${path}/reject">Reject it</a></p>`
    : html`<p class="note">A registrar of the pipeline or an operator decides.</p>`
}`,
  )
}

function invalidNote({ address }: Console, run: Run, mayDownload: boolean): Markup {
  const nothing = 'Nothing was issued for these rows.'
  if (isCompletionsPath(run.sourcePath))
    return `${nothing} Fix the data in the learning system; they are tried again automatically once they change.`
  if (!mayDownload || !run.header) return `${nothing} Fix them in the source, and hand in only these rows again.`
  return html`${nothing} <a href="${address.base}/runs/${run.id}/invalid" download>Download these rows</a>, fix them in that file, and <a href="${address.base}/upload">hand it in</a>: it is a list of its own.`
}

export function problemTable(
  problems: readonly RunProblem[],
  run: Pick<Run, 'sourcePath'>,
  withValues: boolean,
): Markup {
  const origin = isCompletionsPath(run.sourcePath) ? 'learning system' : 'file'
  const rows = problems.map(({ field, rule, rows: count, examples, value }) => [
    figure(count),
    asSentence(describeRule(rule, field)),
    remedyOfRule(rule, field, origin) ?? '–',
    html`${examples.join(', ')}${count > examples.length && ' …'}${withValues && value && html` <span class="remark">${rule.includes('date') ? `written like ${value}` : value}</span>`}`,
  ])
  return table('Problems of the invalid rows', [numbers('Rows'), rowName('Problem'), 'What to do', 'In row'], rows)
}

function fileLinks({ address }: Console, { id, state, header, invalid }: Run): Markup {
  const link = (kind: string, title: string, what: string) =>
    html`<li><a href="${address.base}/runs/${id}/${kind}" download>${title}</a> <span class="remark">${what}</span></li>`
  if (state !== 'published' || !header) return null
  return html`<ul class="files">
${link('results', 'Results', 'every row of the source, with what became of it')}
${invalid > 0 && link('invalid', 'Invalid rows', 'only these, with what to do, ready to be fixed')}</ul>`
}

function runFacts({ times }: Console, run: Run): Markup {
  const { receivedAt: received, publishedAt: published, settledAt: settled, approval } = run
  return facts([
    ['Received', times.at(received)],
    ['Read', published && times.at(published)],
    ['Settled', settled && times.at(settled)],
    ['Approved by', approval && html`${approval.by}${approval.why && `: ${approval.why}`}`],
    ['Content', html`<code class="hash">${run.sourceSha256.slice(0, 16)}…</code> <span class="remark">SHA-256</span>`],
  ])
}
