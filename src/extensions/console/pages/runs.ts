// The list of runs, newest first, with filters.

import { pager } from '#src/extensions/console/html/pager.ts'
import type { RunFilter, RunPhase } from '#src/extensions/console/ledger/run-pages.ts'
import { nothing, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { type Answer, type Console, page, scopeOf, type Visit, visibleOf } from '../visit.ts'
import { runCells, runColumns } from './run-table.ts'

const pageSize = 50
const phases: readonly RunPhase[] = ['open', 'braked', 'settled', 'refused']

export async function runsPage(console: Console, { visitor, query }: Visit): Promise<Answer> {
  const { parts, address, times } = console
  const filter = filterOf(query, scopeOf(visitor))
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
      : nothing(query.size > 0 ? 'No run matches.' : 'There are no runs yet.')
  return page({
    title: 'Runs',
    body: html`${filterForm(console, query, visibleOf(parts.pipelines.names, visitor))}
<div class="card">${list}</div>
${pager(`${address.base}/runs`, query, last?.cursor ?? null)}`,
  })
}

function filterOf(query: URLSearchParams, scope: RunFilter['scope']): RunFilter {
  return {
    scope,
    pipeline: query.get('pipeline') || undefined,
    phase: phases.find((phase) => phase === query.get('state')),
    name: query.get('name')?.slice(0, 200) || undefined,
  }
}

function filterForm({ address }: Console, query: URLSearchParams, pipelines: readonly string[]): Markup {
  const choice = (name: string, values: readonly string[]) => {
    const chosen = query.get(name) ?? ''
    return html`<select name="${name}"><option value="">all</option>${values.map((value) => html`<option value="${value}"${value === chosen && html` selected`}>${value}</option>`)}</select>`
  }
  return html`<form method="get" action="${address.base}/runs" class="filters" role="search" aria-label="Runs">
<label>Pipeline${choice('pipeline', pipelines)}</label>
<label>State${choice('state', phases)}</label>
<label>File name<input name="name" value="${query.get('name') ?? ''}"></label>
<button>Show</button>${query.size > 0 && html`<a class="all" href="${address.base}/runs">Show all</a>`}</form>`
}
