// What needs a decision: held rows, with the reason and the evidence side by side, and revocations without effect.

import { asSentence, oldestFirst, pager, sentence } from '#src/extensions/console/html/sentences.ts'
import type { SeenPerson } from '#src/extensions/console/ledger/overview.ts'
import { heldBecause, heldEvidence } from '#src/issuing/descriptions/held-row.ts'
import { whyToDecide } from '#src/issuing/descriptions/revocation-status.ts'
import { isOpenRevocation } from '#src/ledger/revocations/revocation.ts'
import type { RevocationToDecide } from '#src/ledger/revocations/revocation-targets.ts'
import type { HeldRow } from '#src/ledger/rows-to-decide.ts'
import { nothing, section, table, words } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { sentFields } from '../html/recipient.ts'
import { type Answer, type Console, decides, page, revokes, scopeOf, seesNames, type Visit } from '../visit.ts'

const pageSize = 20

export async function heldPage(console: Console, { visitor, query }: Visit): Promise<Answer> {
  const { ledger, clock } = console.parts
  const after = query.get('after')
  const rows = await ledger.decisions.heldRows({ scope: scopeOf(visitor), after, limit: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const people = seesNames(visitor) ? await ledger.consoleReadings.recipients(shown.map(({ id }) => id)) : []
  if (people.length > 0) {
    const detail = people.map(({ issuance }) => `i${issuance}`).join(', ')
    await ledger.consoleActs.note({ by: visitor.name, act: 'looked at held rows', detail }, clock.now())
  }
  const last = rows.length > pageSize ? shown.at(-1) : undefined
  const open = revokes(visitor) && after === null ? await ledger.revocations.toDecide() : []
  return page({
    title: 'Held',
    lead: 'Rows that nothing can decide automatically. Look each person up in the portal of the service; then decide.',
    body: html`${shown.length === 0 && html`<div class="card">${nothing(after === null ? 'No row is held.' : 'No row is held after those of the page before.')}</div>`}
${shown.map((row) => heldCard(console, row, { person: people.find(({ issuance }) => issuance === row.id) ?? null, visitor, alike: alikeIn(shown, row) }))}
${pager(`${console.address.base}/held`, query, last?.cursor ?? null, oldestFirst)}
${open.length > 0 && section('Revocations', revocationTable(console, open, visitor), 'They had no effect, or are in doubt. Look the credentials up in the portal.')}`,
  })
}

/** Whether other rows of the page have the same reason. */
const alikeIn = (rows: readonly HeldRow[], { id, reason }: HeldRow): boolean =>
  rows.some((row) => row.id !== id && row.reason === reason)

function revocationTable(
  { address, times }: Console,
  open: readonly RevocationToDecide[],
  visitor: Visit['visitor'],
): Markup {
  return table(
    'Revocations that need a decision',
    [
      { title: 'Credential', names: true },
      { title: 'Because' },
      { title: 'Asked for by' },
      { title: 'Asked for' },
      { title: 'Decide' },
    ],
    open.map((row) => [
      words(row.credentialId),
      html`${sentence(asSentence(whyToDecide(row)), times)}${row.corrects ? ' The corrected credential waits for it.' : ''}`,
      html`${row.by}${row.why ? html`<span class="remark">${row.why}</span>` : null}`,
      times.at(row.since),
      revokes(visitor) && againLink(address.base, row),
    ]),
  )
}

/** One that is still open cannot be asked for again: a later look at the report ends it. */
function againLink(base: string, { state, issuanceId, credentialId }: RevocationToDecide): Markup {
  if (isOpenRevocation(state))
    return html`Nothing to press here. If the portal shows it as valid, revoke it there. This line goes once the report shows it as revoked.`
  const path = issuanceId === null ? `credentials/${credentialId}` : `people/i${issuanceId}`
  return html`<a href="${base}/${path}/revoke">Revoke it again<span class="unseen"> for ${credentialId}</span></a>`
}

function heldCard(
  { address, times }: Console,
  row: HeldRow,
  { person, visitor, alike }: { person: SeenPerson | null; visitor: Visit['visitor']; alike: boolean },
): Markup {
  const id = `i${row.id}`
  const decide = decides(visitor)
    ? html`<p class="actions"><a class="button" href="${address.base}/held/${id}">Decide<span class="unseen"> about ${id}</span></a>${alike && html` <a href="${address.base}/held/${id}/alike">Decide about all with this reason<span class="unseen"> as ${id}</span></a>`}</p>`
    : html`<p class="note">A registrar of the pipeline or an operator decides.</p>`
  return html`<section class="card held" aria-labelledby="${id}">
<h2 id="${id}"><a href="${address.base}/people/${id}">${id}</a> <span class="remark">row ${String(row.row)} of <a href="${address.base}/runs/${row.run}">${row.source}</a>, ${row.pipeline}, held since ${times.at(row.since)}</span></h2>
${seesNames(visitor) ? whyHeld(row, person, times) : null}
${decide}
</section>`
}

/** The reason and the evidence. They may have the id of a credential, which leads to the name of the person. */
function whyHeld(row: HeldRow, person: SeenPerson | null, times: Console['times']): Markup {
  const { sent, shown } = heldEvidence(row)
  return html`<p>${sentence(asSentence(`because ${heldBecause(row)}`), times)}</p>
<div class="sides">
<div><h3>Sent</h3><p>${asSentence(sent)}</p>${person?.recipient ? sentFields(person.recipient) : null}</div>
<div><h3>Shown by the report</h3><p>${asSentence(shown)}</p></div>
</div>`
}
