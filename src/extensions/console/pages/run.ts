// One run: where all of its rows are, what is wrong with the invalid ones, what it waits for, and its files.

import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import { brakeReason, countOf } from '#src/issuing/results/run-summary.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'
import { callouts, facts, figure, label, section, table, words, wordsOrNull } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { formatSpan } from '../html/times.ts'
import { type Answer, type Console, decides, page, scopeOf, seesNames, type Visit } from '../visit.ts'
import { progressBody, progressOf } from './run-progress.ts'

export async function runPage(console: Console, visit: Visit): Promise<Answer> {
  const { parts, address, times } = console
  const id = visit.params.id ?? ''
  const { ledger } = parts
  if (!(await ledger.runPages.isVisible(id, scopeOf(visit.visitor)))) return { kind: 'missing' }
  const progress = await progressOf(console, id)
  if (!progress) return { kind: 'missing' }
  const { run, isOver } = progress
  const problems = run.invalid > 0 ? await ledger.violations.byKind(id) : []
  const live = isOver ? null : html` data-live="${address.base}/runs/${id}/progress" data-every="3"`
  return page({
    title: run.sourceName,
    back: { href: '/runs', text: 'Runs' },
    lead: html`${run.pipeline}, received ${times.at(run.receivedAt)} <span class="remark">run ${id}</span>`,
    body: html`<div${live}>${progressBody(console, progress, visit)}</div>
${run.state === 'braked' ? brakePart(console, run, decides(visit.visitor)) : null}
${problems.length > 0 ? section('Invalid rows', problemTable(problems, run, seesNames(visit.visitor)), invalidNote(console, run, seesNames(visit.visitor))) : null}
${run.notices.length > 0 ? section('Notes', html`<ul class="plain">${run.notices.map((notice) => html`<li>${sentence(asSentence(notice), times)}</li>`)}</ul>`) : null}
${section('Files and times', html`${seesNames(visit.visitor) ? fileLinks(console, run) : null}${runFacts(console, run)}`)}`,
  })
}

function brakePart({ times, address }: Console, run: Run, mayDecide: boolean): Markup {
  const { brake } = run
  return section(
    'Held by the brake',
    html`${callouts([{ tone: 'warn', title: sentence(brakeReason(brake) || 'The run is braked.', times), detail: words('Nothing was issued. A person must decide.') }])}
${facts([
  ['Would issue', brake ? figure(brake.accepted) : null],
  ['Usual', brake?.usual === null || brake?.usual === undefined ? words('not known yet') : figure(brake.usual)],
])}
<p>If the run is right, approving it reads it again and issues ${brake?.shown ? 'the people the ledger does not know' : 'it regardless of its size'}. If it is wrong, rejecting it issues nothing.</p>
${
  mayDecide
    ? html`<p class="actions"><a class="button" href="${address.base}/runs/${run.id}/approve">Approve it</a> <a class="button" href="${address.base}/runs/${run.id}/reject">Reject it</a></p>`
    : html`<p class="note">A registrar of the pipeline or an operator decides.</p>`
}`,
  )
}

function invalidNote({ address }: Console, run: Run, mayDownload: boolean): Markup {
  const nothing = 'Nothing was issued for these rows.'
  if (isCompletionsPath(run.sourcePath))
    return words(`${nothing} Fix the data in the learning system; they are tried again automatically once they change.`)
  if (!mayDownload || !run.header) return words(`${nothing} Fix them in the source, and hand in only these rows again.`)
  return html`${nothing} <a href="${address.base}/runs/${run.id}/invalid" download>Download these rows</a>, fix them in that file, and <a href="${address.base}/upload">hand it in</a>: it is a list of its own.`
}

const shownKinds = 50

export function problemTable(
  problems: readonly RunProblem[],
  run: Pick<Run, 'sourcePath'>,
  withValues: boolean,
): Markup {
  const origin = isCompletionsPath(run.sourcePath) ? 'learning system' : 'file'
  const rows = problems
    .slice(0, shownKinds)
    .map(({ field, rule, rows: count, examples, value }) => [
      figure(count),
      html`${asSentence(describeRule(rule, field))}`,
      wordsOrNull(remedyOfRule(rule, field, origin)) ?? words('–'),
      html`${examples.join(', ')}${count > examples.length ? ' …' : ''}${withValues && value ? html` <span class="remark">${rule.includes('date') ? `written like ${value}` : value}</span>` : null}`,
    ])
  return html`${table('Problems of the invalid rows', [{ title: 'Rows', numeric: true }, { title: 'Problem', names: true }, { title: 'What to do' }, { title: 'In row' }], rows)}
${problems.length > shownKinds ? html`<p>And ${countOf(problems.length - shownKinds, 'more kind')} of problem.</p>` : null}`
}

function fileLinks({ address }: Console, run: Run): Markup {
  const link = (kind: string, title: string, what: string) =>
    html`<li><a href="${address.base}/runs/${run.id}/${kind}" download>${title}</a> <span class="remark">${what}</span></li>`
  return html`<ul class="files">
${run.state === 'published' && run.header ? link('results', 'Results', 'every row of the source, with what became of it') : null}
${run.invalid > 0 && run.header ? link('invalid', 'Invalid rows', 'only these, with what to do, ready to be fixed') : null}
</ul>`
}

function runFacts({ times }: Console, run: Run): Markup {
  // Dates of a run with its states come as text.
  const at = (date: Date | null) => (date === null ? null : new Date(date))
  const [received, published, settled] = [at(run.receivedAt), at(run.publishedAt), at(run.settledAt)]
  const after = (from: Date | null, to: Date | null) =>
    from && to ? html` <span class="remark">after ${formatSpan(to.getTime() - from.getTime())}</span>` : null
  return facts([
    ['Received', received && times.at(received)],
    ['In the ledger', published && html`${times.at(published)}${after(received, published)}`],
    ['Settled', settled && html`${times.at(settled)}${after(published, settled)}`],
    ['Approved by', run.approval && html`${run.approval.by}${run.approval.why ? html`: ${run.approval.why}` : null}`],
    ['Content', html`<code class="hash">${run.sourceSha256.slice(0, 16)}…</code> <span class="remark">SHA-256</span>`],
    ['Read as', run.format && label(run.format.toUpperCase(), 'calm')],
  ])
}
