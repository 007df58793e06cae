// The rows of later lists whose data differ from a credential, and that wait for a correction.

import { pager } from '#src/extensions/console/html/pager.ts'
import type { WaitingChange } from '#src/ledger/runs/waiting-changes.ts'
import { nothing, rowName, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { personLink } from '../html/recipient.ts'
import { visibleRuns } from '../visible-records.ts'
import { type Answer, type Console, note, page, revokes, scopeOf, type Visit } from '../visit.ts'

const pageSize = 200

export async function waitingCorrectionsPage(console: Console, visit: Visit): Promise<Answer> {
  const { visitor, query } = visit
  const asked = { scope: scopeOf(visitor), limit: pageSize + 1, before: query.get('before') }
  const found = await console.parts.ledger.revocations.waitingChanges(asked)
  const shown = found.slice(0, pageSize)
  const last = found.length > pageSize ? shown.at(-1) : undefined
  if (shown.length > 0) {
    const detail = shown.map(({ issuanceId }) => `i${issuanceId}`).join(', ')
    await note(console, visit, 'looked at changed rows', { detail })
  }
  const mayCorrect = revokes(visitor)
  const visible = await visibleRuns(
    console,
    visit,
    shown.map(({ run }) => run),
  )
  return page({
    title: 'Changed rows',
    back: { href: '/', text: 'Overview' },
    lead: html`A later list has other data for these people than their credential. Corrections are never made automatically. ${mayCorrect ? null : 'An operator decides about them.'}`,
    body: html`<div class="card">${shown.length > 0 ? changeTable(console, shown, { mayCorrect, visible }) : nothing(query.has('before') ? 'No more changed rows wait for a correction.' : 'No changed row waits for a correction.')}</div>
${pager(`${console.address.base}/corrections`, query, last?.cursor ?? null)}`,
  })
}

function changeTable(
  { address, times }: Console,
  changes: readonly WaitingChange[],
  { mayCorrect, visible }: { mayCorrect: boolean; visible: ReadonlySet<string> },
): Markup {
  return table(
    'Changed rows, newest first',
    [rowName('Who'), 'Differs in', 'Row', 'Received', 'Pipeline', ...(mayCorrect ? ['Decide'] : [])],
    changes.map(({ issuanceId, recipient, changedFields, run, row, source, received, state, pipeline }) => [
      html`${personLink(`${address.base}/people/i${issuanceId}`, issuanceId, recipient)}${state === 'failed' && html` <span class="remark">failed, without a credential</span>`}`,
      changedFields.join(', '),
      visible.has(run)
        ? html`<span>${row} of <a href="${address.base}/runs/${run}">${source}</a></span>`
        : html`<span>on a list of another pipeline</span>`,
      times.at(received),
      pipeline,
      html`<a href="${address.base}/people/i${issuanceId}/correct?from=${run}:${row}">Show the difference<span class="unseen"> of i${issuanceId}</span></a>`,
    ]),
  )
}
