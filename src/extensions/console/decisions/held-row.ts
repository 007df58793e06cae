// Decides about one held row, with the evidence side by side.

import { resolveHeldRows } from '#src/issuing/decisions/decide-rows.ts'
import { RefusedDecisionError } from '#src/issuing/decisions/refused-decision-error.ts'
import { whyLeft } from '#src/issuing/decisions/why-unchanged.ts'
import { heldBecause } from '#src/issuing/descriptions/describe-held-row.ts'
import type { Explained } from '#src/ledger/explain.ts'
import { section } from '../html/elements.ts'
import { html } from '../html/markup.ts'
import { nameOf, sentRecipients } from '../html/recipient.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, note, page, scopeOf, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged } from './answer-decision.ts'
import { decisionForm, type Returned, readSeen, seenAt } from './decision-form.ts'
import { answerChoices, readAnswer, resolvedSentence } from './held-answers.ts'
import { evidenceSideBySide, isPart, namesOfShown, partSentence, readShownNow } from './held-evidence.ts'

export async function heldRowPage(
  console: Console,
  visit: Visit,
  { id }: Explained,
  returned?: Returned,
): Promise<Answer> {
  const { parts, times, address } = console
  const back = `/people/i${id}`
  const { row, recipient } = await heldPerson(console, visit, id)
  if (!row) {
    const now = (await parts.ledger.issuances.states([id])).get(id)
    return nothingChanged(console, back, now ? `i${id} needs no decision: ${whyLeft(id, now, 'held')}` : '')
  }
  await note(console, visit, 'looked at a held row', { issuance: id })
  const shownNow = recipient && (await readShownNow(console, row, recipient, scopeOf(visit.visitor)))
  return page({
    title: `Decide about ${nameOf(recipient) ?? `i${id}`}`,
    back: { href: '/held', text: 'Held' },
    lead: html`<a href="${address.base}${back}">i${id}</a>, row ${row.row} of <a href="${address.base}/runs/${row.run}">${row.source}</a>, ${row.pipeline}, held since ${times.at(row.since)}`,
    body: html`${section('Why it is held', html`<p>${sentence(asSentence(heldBecause(row)), times)}</p>`)}
${section('The evidence', evidenceSideBySide(row, recipient, shownNow), 'Look the person up in the portal of the service, too. If what you find there is this request, even with other data, it was sent; a credential can be corrected afterwards.')}
${section(
  'Decide',
  decisionForm(console, {
    action: `/held/i${id}`,
    seen: { seen: seenAt(row.since), shown: shownNow === null ? '' : namesOfShown(shownNow) },
    choices: answerChoices(visit.form.get('answer')),
    button: 'Decide',
    back: '/held',
    returned,
  }),
)}`,
  })
}

export async function resolveHeldRow(console: Console, visit: Visit, life: Explained): Promise<Answer> {
  const { id } = life
  const answer = readAnswer(visit.form)
  return answerDecision(console, visit, {
    to: `/people/i${id}`,
    fault: answer === null ? 'Say whether the service has the request. Nothing has been changed yet.' : null,
    again: (returned) => heldRowPage(console, visit, life, returned),
    async decide(decision) {
      if (answer === 'not sent') await refuseIfShownSince(console, visit, id)
      const seen = new Map([[id, readSeen(visit.form)]])
      const result = await resolveHeldRows(console.parts, { ids: [id], answer: answer ?? 'sent', seen }, decision)
      if (result.decided.length === 0) throw new RefusedDecisionError(result.unchanged.join('\n'))
      return { issuance: id, message: resolvedSentence(id, answer ?? 'sent', result.withdrawn) }
    },
  })
}

/**
 * What is sent again counts as new, so an item that the report has shown since would never be taken for it, and the
 * person would be issued twice.
 */
async function refuseIfShownSince(console: Console, visit: Visit, id: number): Promise<void> {
  const { row, recipient } = await heldPerson(console, visit, id)
  if (!row || !recipient) return
  const now = await readShownNow(console, row, recipient, scopeOf(visit.visitor))
  if (now === 'unread')
    throw new RefusedDecisionError(
      'The report cannot be read right now, and it may show the credential by now. Nothing was changed.',
    )
  if (isPart(now)) throw new RefusedDecisionError(`${partSentence(id)} Nothing was changed.`)
  if (namesOfShown(now) !== visit.form.get('shown'))
    throw new RefusedDecisionError(
      'The report shows something else of this person than it did when you opened the page. Look at the evidence again. Nothing was changed.',
    )
}

/** The row, unless it is not held any more, and the recipient, unless nothing is kept of the person. */
async function heldPerson({ parts: { ledger } }: Console, { visitor }: Visit, id: number) {
  const [row = null] = await ledger.decisions.heldRows({ scope: scopeOf(visitor), limit: 1, id })
  return { row, recipient: (await sentRecipients(ledger, [id])).get(id) ?? null }
}
