// The rows that need a decision: why, the evidence side by side, and the commands that decide.

import { heldAnswers, heldBecause, heldEvidence } from '#src/issuing/descriptions/held-row.ts'
import type { SeenPerson } from '#src/ledger/console/overview.ts'
import type { HeldRow } from '#src/ledger/rows-to-decide.ts'
import { facts, nothing, wordsOrNull } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, page, scopeOf, seesNames, type Visit } from '../visit.ts'
import { pager } from './runs.ts'

const pageSize = 20

export async function heldPage(console: Console, { visitor, query }: Visit): Promise<Answer> {
  const { ledger, clock } = console.parts
  const after = Number(/^\d{1,15}$/.exec(query.get('before') ?? '')?.[0] ?? 0) || null
  const rows = await ledger.decisions.heldRows({ scope: scopeOf(visitor), after, limit: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const people = seesNames(visitor) ? await ledger.consoleReadings.recipients(shown.map(({ id }) => id)) : []
  if (people.length > 0) {
    const detail = people.map(({ issuance }) => `i${issuance}`).join(', ')
    await ledger.consoleActs.note({ by: visitor.name, act: 'looked at held rows', detail }, clock.now())
  }
  const last = rows.length > pageSize ? shown.at(-1) : undefined
  return page({
    title: 'Held',
    lead: 'Rows that nothing can decide automatically. Look each person up in the portal of the service; then decide.',
    body:
      shown.length === 0
        ? html`<div class="card">${nothing('Nothing is held.')}</div>`
        : html`${shown.map((row) => heldCard(console, row, people.find(({ issuance }) => issuance === row.id) ?? null))}
${pager(console.address.base, query, last ? String(last.id) : null, '/held')}`,
  })
}

function heldCard({ address, times }: Console, row: HeldRow, person: SeenPerson | null): Markup {
  const { sent, shown } = heldEvidence(row)
  const id = `i${row.id}`
  return html`<section class="card held" aria-labelledby="${id}">
<h2 id="${id}"><a href="${address.base}/people/${id}">${id}</a> <span class="remark">row ${String(row.row)} of <a href="${address.base}/runs/${row.run}">${row.source}</a>, ${row.pipeline}, held since ${times.at(row.since)}</span></h2>
<p>${sentence(asSentence(`because ${heldBecause(row)}`), times)}</p>
<div class="sides">
<div><h3>Sent</h3><p>${asSentence(sent)}</p>${person?.recipient ? facts(Object.entries(person.recipient).map(([field, value]) => [field, wordsOrNull(value)] as const)) : null}</div>
<div><h3>Shown by the report</h3><p>${asSentence(shown)}</p></div>
</div>
<h3>Decide</h3>
<dl class="answers">${heldAnswers(row.id).map(({ command, leadsTo }) => html`<div><dt><code>${command}</code></dt><dd>${asSentence(leadsTo)}</dd></div>`)}</dl>
</section>`
}
