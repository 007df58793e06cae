// The first page: what needs attention, what is under way, and the last list of each pipeline.

import type { ListedRun } from '#src/extensions/console/ledger/run-pages.ts'
import { callouts, nothing, section, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { type Answer, type Console, page, scopeOf, type Visit, visibleOf } from '../visit.ts'
import { needsAttention } from './needs-attention.ts'
import { phaseLabel, progressWords, runCells, runColumns } from './run-table.ts'

const mostShown = 10

export async function overviewPage(console: Console, visit: Visit): Promise<Answer> {
  const body = await overviewBody(console, visit)
  const live = `${console.address.base}/overview`
  return page({ title: 'Overview', body: html`<div data-live="${live}" data-every="10">${body}</div>` })
}

export async function overviewFragment(console: Console, visit: Visit): Promise<Answer> {
  return { kind: 'fragment', body: await overviewBody(console, visit), isLast: false }
}

async function overviewBody(console: Console, { visitor }: Visit): Promise<Markup> {
  const { parts, address, times } = console
  const { runPages } = parts.ledger
  const pipelines = visibleOf(parts.pipelines.names, visitor)
  const lists = await runPages.lastLists(pipelines)
  const needed = await needsAttention(console, { visitor }, lists)
  const unsettled = await runPages.unsettled(scopeOf(visitor), mostShown + 1)
  const underWay = unsettled.filter((run) => run.state !== 'braked')
  return html`
${section('Needs attention', needed.length > 0 ? callouts(needed) : nothing('Nothing. Everything else proceeds automatically. Invalid rows of earlier lists are on the pages of their runs.'))}
${underWay.length > 0 && section('Under way', underWayList(console, underWay))}
${section(
  'The last list of each pipeline',
  lists.length > 0
    ? table(
        'The last list of each pipeline',
        runColumns,
        lists.map((run) => runCells(run, { base: address.base, times })),
      )
    : nothing('No list has arrived yet.'),
)}`
}

function underWayList({ address, times }: Console, runs: readonly ListedRun[]): Markup {
  const items = runs
    .slice(0, mostShown)
    .map(
      (run) =>
        html`<li><a href="${address.base}/runs/${run.id}">${run.sourceName}</a> <span class="remark">${run.pipeline}, ${times.at(run.receivedAt)}</span><span class="right">${run.state === 'published' ? progressWords(run) : phaseLabel(run)}</span></li>`,
    )
  const more = runs.length > mostShown && html`<p><a href="${address.base}/runs?state=open">All open runs</a></p>`
  return html`<ul class="lines">${items}</ul>${more}`
}
