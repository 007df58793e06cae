// What needs a decision: held rows, with the reason and the evidence side by side, and revocations without effect.

import { heldBecause } from '#src/issuing/descriptions/describe-held-row.ts'
import { whyToDecide } from '#src/issuing/descriptions/revocation-status.ts'
import { isOpenRevocation } from '#src/ledger/revocations/revocation.ts'
import type { RevocationToDecide } from '#src/ledger/revocations/revocation-targets.ts'
import type { HeldRow } from '#src/ledger/rows-to-decide.ts'
import { heldEvidenceBeside } from '../decisions/held-evidence.ts'
import { nothing, rowName, section, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { sentRecipients } from '../html/recipient.ts'
import { asSentence, oldestFirst, pager, sentence } from '../html/sentences.ts'
import { type Answer, type Console, decides, note, page, revokes, scopeOf, seesNames, type Visit } from '../visit.ts'

const pageSize = 20

export async function heldPage(console: Console, visit: Visit): Promise<Answer> {
  const { visitor, query } = visit
  const { ledger } = console.parts
  const after = query.get('after')
  const rows = await ledger.decisions.heldRows({ scope: scopeOf(visitor), after, limit: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? shown.at(-1) : undefined
  const ids = shown.map(({ id }) => id)
  const recipients = seesNames(visitor) ? await sentRecipients(ledger, ids) : null
  if (recipients && ids.length > 0)
    await note(console, visit, 'looked at held rows', { detail: ids.map((id) => `i${id}`).join(', ') })
  const open = revokes(visitor) && after === null ? await ledger.revocations.toDecide() : []
  return page({
    title: 'Held',
    lead: 'Rows that cannot be decided automatically. Look each person up in the portal of the service; then decide.',
    body: html`${shown.length === 0 && html`<div class="card">${nothing(after === null ? 'No row is held.' : 'No more rows are held.')}</div>`}
${shown.map((row) => heldCard(console, row, recipients && whyHeld(row, recipients.get(row.id) ?? null, console.times), decideLinks(console, visit, row, shown)))}
${pager(`${console.address.base}/held`, query, last?.cursor ?? null, oldestFirst)}
${open.length > 0 && section('Revocations', revocationTable(console, open), 'They had no effect, or their outcome is unclear. Look the credentials up in the portal.')}`,
  })
}

function heldCard({ address: { base }, times }: Console, row: HeldRow, why: Markup, links: Markup): Markup {
  const id = `i${row.id}`
  return html`<section class="card held" aria-labelledby="${id}">
<h2 id="${id}"><a href="${base}/people/${id}">${id}</a> <span class="remark">row ${row.row} of <a href="${base}/runs/${row.run}">${row.source}</a>, ${row.pipeline}, held since ${times.at(row.since)}</span></h2>
${why}
${links}
</section>`
}

/** The reason and the evidence. They may have the id of a credential, which leads to the name of the person. */
const whyHeld = (row: HeldRow, recipient: Record<string, string> | null, times: Console['times']): Markup =>
  html`<p>${sentence(asSentence(`because ${heldBecause(row)}`), times)}</p>${heldEvidenceBeside(row, recipient)}`

function decideLinks({ address }: Console, { visitor }: Visit, { id, reason }: HeldRow, shown: readonly HeldRow[]) {
  if (!decides(visitor)) return html`<p class="note">A registrar of the pipeline or an operator decides.</p>`
  const alike = shown.some((row) => row.id !== id && row.reason === reason)
  const path = `${address.base}/held/i${id}`
  return html`<p class="actions"><a class="button" href="${path}">Decide<span class="unseen"> about i${id}</span></a>${alike && html` <a href="${path}/alike">Decide about all with this reason<span class="unseen"> as i${id}</span></a>`}</p>`
}

function revocationTable({ address, times }: Console, open: readonly RevocationToDecide[]): Markup {
  return table(
    'Revocations that need a decision',
    [rowName('Credential'), 'Because', 'Asked for by', 'Asked for', 'Decide'],
    open.map((row) => [
      row.credentialId,
      html`${sentence(asSentence(whyToDecide(row)), times)}${row.corrects && ' The corrected credential waits for it.'}`,
      html`${row.by}${row.why && html`<span class="remark">${row.why}</span>`}`,
      times.at(row.since),
      againLink(address.base, row),
    ]),
  )
}

/** One that is still open cannot be asked for again: a later look at the report ends it. */
function againLink(base: string, { state, issuanceId, credentialId }: RevocationToDecide): Markup {
  if (isOpenRevocation(state))
    return 'Nothing can be done here. If the portal shows it as valid, revoke it there. This line goes once the report shows it as revoked.'
  const path = issuanceId === null ? `credentials/${credentialId}` : `people/i${issuanceId}`
  return html`<a href="${base}/${path}/revoke">Revoke it again<span class="unseen"> for ${credentialId}</span></a>`
}
