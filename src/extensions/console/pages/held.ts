// What waits for a decision: held rows, and revocations without effect.

import { heldBecause } from '#src/issuing/descriptions/describe-held-row.ts'
import { whyToDecide } from '#src/issuing/descriptions/revocation-status.ts'
import { isOpenRevocation } from '#src/ledger/revocations/revocation.ts'
import type { RevocationToDecide } from '#src/ledger/revocations/revocation-targets.ts'
import type { HeldRow } from '#src/ledger/rows-to-decide.ts'
import { nothing, rowName, section, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { pager } from '../html/pager.ts'
import { personLink, sentRecipients } from '../html/recipient.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, decides, note, page, revokes, scopeOf, type Visit } from '../visit.ts'

const pageSize = 50

export async function heldPage(console: Console, visit: Visit): Promise<Answer> {
  const { visitor, query } = visit
  const { ledger } = console.parts
  const after = query.get('after')
  const rows = await ledger.decisions.heldRows({ scope: scopeOf(visitor), after, limit: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? shown.at(-1) : undefined
  const nobody = nothing(after === null ? 'No row is held.' : 'No more rows are held.')
  const open = revokes(visitor) && after === null ? await ledger.revocations.toDecide() : []
  return page({
    title: 'Held',
    lead: decides(visitor)
      ? 'Rows that cannot be decided automatically. Look each person up in the portal of the service; then decide.'
      : 'Rows that cannot be decided automatically. A registrar of the pipeline or an operator decides.',
    body: html`<div class="card">${shown.length > 0 ? await heldTable(console, visit, shown) : nobody}</div>
${pager(`${console.address.base}/held`, query, last?.cursor ?? null, 'after')}
${open.length > 0 && section('Revocations', revocationTable(console, open), 'They had no effect, or their outcome is unclear. Look the credentials up in the portal.')}`,
  })
}

/**
 * Names and reasons are shown only to those who decide: a reason may contain the id of a credential, which leads to the
 * name of the person.
 */
async function heldTable(console: Console, visit: Visit, rows: readonly HeldRow[]): Promise<Markup> {
  const { parts, address, times } = console
  const { base } = address
  const isDeciding = decides(visit.visitor)
  const ids = rows.map(({ id }) => id)
  if (isDeciding) await note(console, visit, 'looked at held rows', { detail: ids.map((id) => `i${id}`).join(', ') })
  const recipients = isDeciding ? await sentRecipients(parts.ledger, ids) : new Map()
  return table(
    'Held rows, oldest first',
    [rowName('Who'), 'Row', 'Pipeline', 'Held since', ...(isDeciding ? ['Because', 'Decide'] : [])],
    rows.map((row) => {
      const [href, source] = [`${base}/people/i${row.id}`, html`<a href="${base}/runs/${row.run}">${row.source}</a>`]
      const cells = [
        personLink(href, row.id, recipients.get(row.id)),
        html`<span>${row.row} of ${source}</span>`,
        row.pipeline,
        times.at(row.since),
      ]
      if (!isDeciding) return cells
      const decide = html`<a href="${base}/held/i${row.id}">Decide<span class="unseen"> about i${row.id}</span></a>`
      return [...cells, html`<span>${sentence(asSentence(heldBecause(row)), times)}</span>`, decide]
    }),
  )
}

function revocationTable({ address, times }: Console, open: readonly RevocationToDecide[]): Markup {
  return table(
    'Revocations that need a decision',
    [rowName('Credential'), 'Because', 'Requested by', 'Requested', 'Decide'],
    open.map((row) => [
      row.credentialId,
      html`${sentence(asSentence(whyToDecide(row)), times)}${row.corrects && ' The corrected credential waits for it.'}`,
      html`${row.by}${row.why && html`<span class="remark">${row.why}</span>`}`,
      times.at(row.since),
      againLink(address.base, row),
    ]),
  )
}

/** One that is still open cannot be requested again: a later look at the report ends it. */
function againLink(base: string, { state, issuanceId, credentialId }: RevocationToDecide): Markup {
  if (isOpenRevocation(state))
    return 'Nothing can be done here. If the portal shows it as valid, revoke it there. This line disappears once the report shows it as revoked.'
  if (issuanceId === null) return html`<code>credsync revoke ${credentialId}</code>`
  return html`<a href="${base}/people/i${issuanceId}/revoke">Revoke it again<span class="unseen"> for ${credentialId}</span></a>`
}
