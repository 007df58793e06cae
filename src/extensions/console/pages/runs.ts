// The list of runs, newest first, with filters.

import { pager } from '#src/extensions/console/html/sentences.ts'
import type { RunFilter, RunPhase } from '#src/extensions/console/ledger/run-pages.ts'
import { nothing, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { type Answer, type Console, page, scopeOf, type Visit, visibleOf } from '../visit.ts'
import { runCells, runColumns } from './run-words.ts'

const pageSize = 50
const dayMs = 86_400_000

const phases: Readonly<Record<RunPhase, string>> = {
  open: 'open',
  braked: 'braked',
  settled: 'settled',
  refused: 'refused',
}

export async function runsPage(console: Console, { visitor, query }: Visit): Promise<Answer> {
  const { parts, address, times } = console
  const filter = filterOf(console, query, scopeOf(visitor))
  const runs = await parts.ledger.runPages.page(filter, { before: query.get('before'), limit: pageSize + 1 })
  const shown = runs.slice(0, pageSize)
  const last = runs.length > pageSize ? shown.at(-1) : undefined
  const list =
    shown.length > 0
      ? table(
          'Runs, newest first',
          runColumns,
          shown.map((run) => runCells(run, { base: address.base, times })),
        )
      : nothing(query.size > 0 ? 'No run fits.' : 'There are no runs yet.')
  return page({
    title: 'Runs',
    body: html`${filterForm(console, query, visibleOf(parts.pipelines.names, visitor))}
<div class="card">${list}</div>
${pager(`${address.base}/runs`, query, last?.cursor ?? null)}`,
  })
}

function filterOf({ times }: Console, query: URLSearchParams, scope: RunFilter['scope']): RunFilter {
  const state = query.get('state') ?? ''
  const from = times.beginOf(query.get('from') ?? '')
  const last = times.beginOf(query.get('until') ?? '')
  return {
    scope,
    pipeline: query.get('pipeline') || undefined,
    phase: Object.hasOwn(phases, state) ? (state as RunPhase) : undefined,
    from: from ?? undefined,
    // The day itself belongs to it. A day has at most 25 hours, so this is within the next one.
    until: last ? (times.beginOf(times.dayOf(new Date(last.getTime() + 1.25 * dayMs))) ?? undefined) : undefined,
    name: query.get('name')?.slice(0, 200) || undefined,
  }
}

function filterForm({ address }: Console, query: URLSearchParams, pipelines: readonly string[]): Markup {
  const option = (value: string, name: string, chosen: string | null) =>
    html`<option value="${value}"${value === (chosen ?? '') ? html` selected` : null}>${name}</option>`
  const field = (name: string, title: string, type: string) =>
    html`<label>${title}<input type="${type}" name="${name}" value="${query.get(name) ?? ''}"></label>`
  return html`<form method="get" action="${address.base}/runs" class="filters" role="search" aria-label="Runs">
<label>Pipeline<select name="pipeline">${option('', 'all', query.get('pipeline'))}${pipelines.map((name) => option(name, name, query.get('pipeline')))}</select></label>
<label>State<select name="state">${option('', 'all', query.get('state'))}${Object.entries(phases).map(([value, name]) => option(value, name, query.get('state')))}</select></label>
${field('name', 'File name', 'text')}${field('from', 'From', 'date')}${field('until', 'Until', 'date')}
<button>Show</button>${query.size > 0 && html`<a class="all" href="${address.base}/runs">Show all</a>`}</form>`
}
