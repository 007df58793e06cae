// Decides together about several rows that are held for the same reason: that the service has their requests. The other
// answer depends on what the report shows of each person, so it is given on the page of each row.

import { resolveHeldRows } from '#src/issuing/decisions/decide-rows.ts'
import { RefusedDecisionError } from '#src/issuing/decisions/refused-decision-error.ts'
import { heldBecause, heldEvidence } from '#src/issuing/descriptions/describe-held-row.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import type { Explained } from '#src/ledger/explain.ts'
import type { SeenRows } from '#src/ledger/operator-decision.ts'
import type { HeldRow } from '#src/ledger/rows-to-decide.ts'
import { rowName, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { nameOf, personLink, sentRecipients } from '../html/recipient.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, note, page, scopeOf, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged } from './answer-decision.ts'
import { decisionForm, type Returned, seenAt } from './decision-form.ts'
import { resolvedSentence } from './held-answers.ts'

/** As many as a person can look at and a form can name. */
const mostAtOnce = 200

export async function heldAlikePage(
  console: Console,
  visit: Visit,
  life: Explained,
  returned?: Returned,
): Promise<Answer> {
  const like = { scope: scopeOf(visit.visitor), limit: mostAtOnce + 1, like: life.id }
  const found = await console.parts.ledger.decisions.heldRows(like)
  const rows = found.slice(0, mostAtOnce)
  const [first] = rows
  if (!first) return nothingChanged(console, '/held', `i${life.id} is not held any more, so there are no rows like it.`)
  await note(console, visit, 'looked at held rows', { detail: rows.map(({ id }) => `i${id}`).join(', ') })
  const chosen = returned && new Set(readRows(visit.form)?.keys())
  const more = found.length > rows.length && html`<p>These are the first ${mostAtOnce}. The others come afterwards.</p>`
  return page({
    title: `Decide about ${countOf(rows.length, 'held row')}`,
    back: { href: '/held', text: 'Held' },
    lead: html`All are held because ${sentence(heldBecause(first), console.times)}.`,
    body: html`<div class="card">${decisionForm(console, {
      action: `/held/i${life.id}/alike`,
      seen: { answer: 'sent' },
      choices: html`<h2>Which were sent</h2><p class="note">Look these people up in the portal of the service. Leave ticked only those whose requests it has.</p>${more}${await rowTable(console, rows, chosen)}<h2>Decide</h2>
<p>The service has the requests of the ticked rows: they are followed in the report, and nothing is sent. If it does not have one, that row stays requested forever, and the person gets nothing. Decide about such a row on its own page, to which the name leads.</p>`,
      button: 'They were sent',
      back: '/held',
      returned,
    })}</div>`,
  })
}

async function rowTable(
  { parts, address }: Console,
  rows: readonly HeldRow[],
  chosen: ReadonlySet<number> | undefined,
): Promise<Markup> {
  const ids = rows.map(({ id }) => id)
  const recipients = await sentRecipients(parts.ledger, ids)
  return table(
    'Held rows with the same reason',
    ['Decide', rowName('Who'), 'Row', 'Sent', 'Shown by the report'],
    rows.map((row) => {
      const { sent, shown } = heldEvidence(row)
      const recipient = recipients.get(row.id)
      const isChosen = chosen === undefined || chosen.has(row.id)
      return [
        html`<label class="tick"><input type="checkbox" name="row" value="${row.id}.${seenAt(row.since)}"${isChosen && html` checked`}><span class="unseen">${nameOf(recipient) ?? `i${row.id}`}</span></label>`,
        personLink(`${address.base}/held/i${row.id}`, row.id, recipient),
        `${row.row} of ${row.source}, ${row.pipeline}`,
        asSentence(sent),
        asSentence(shown),
      ]
    }),
  )
}

/** Reads the ticked rows; null if the form is not one of ours. */
function readRows(form: URLSearchParams): SeenRows | null {
  const rows = form.getAll('row').map((text) => /^(\d{1,15})\.(\d{1,15})$/.exec(text))
  if (rows.length > mostAtOnce || rows.some((row) => row === null)) return null
  return new Map(rows.map((row) => [Number(row?.[1]), new Date(Number(row?.[2]))]))
}

export async function resolveHeldAlike(console: Console, visit: Visit, life: Explained): Promise<Answer> {
  const { parts } = console
  const seen = readRows(visit.form)
  if (!seen) return { kind: 'missing' }
  const ids = [...seen.keys()]
  const visible = await parts.ledger.consoleReadings.visible(ids, scopeOf(visit.visitor))
  if (visible.length < ids.length) return { kind: 'missing' }
  return answerDecision(console, visit, {
    to: '/held',
    fault:
      ids.length === 0
        ? 'Tick the rows that you decide about. Nothing has been changed yet.'
        : visit.form.get('answer') !== 'sent'
          ? 'A row is sent again only on its own page, because the report may show its credential by now. Nothing has been changed yet.'
          : null,
    again: (returned) => heldAlikePage(console, visit, life, returned),
    async decide(decision) {
      const result = await resolveHeldRows(parts, { ids, answer: 'sent', seen }, decision)
      if (result.decided.length === 0) throw new RefusedDecisionError(result.unchanged.join('\n'))
      return { message: resolvedSentence(countOf(result.decided.length, 'row'), 'sent', result) }
    },
  })
}
