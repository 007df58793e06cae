// Decides about one held row, with the evidence side by side.

import { visibleIssuance } from '#src/extensions/console/visible-run.ts'
import { resolveHeldRows } from '#src/issuing/decisions/decide-rows.ts'
import { RefusedDecisionError } from '#src/issuing/decisions/refused-decision-error.ts'
import { whyLeft } from '#src/issuing/decisions/why-unchanged.ts'
import { heldBecause } from '#src/issuing/descriptions/held-row.ts'
import { section } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { nameOf } from '../html/recipient.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, page, scopeOf, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged } from './answer-decision.ts'
import { decisionForm, type Returned, readSeen, seenAt } from './decision-form.ts'
import { answerChoices, readAnswer, resolvedSentence } from './held-answers.ts'
import {
  heldEvidenceBeside,
  isPart,
  namesOfShown,
  partSentence,
  readShownNow,
  shownNowBody,
  shownSoon,
} from './held-evidence.ts'

export async function heldRowPage(console: Console, visit: Visit, returned?: Returned): Promise<Answer> {
  const { parts, times, address } = console
  const { ledger, clock } = parts
  const life = await visibleIssuance(console, visit)
  if (!life) return { kind: 'missing' }
  const { id } = life
  const back = `/people/i${id}`
  const [row] = await ledger.decisions.heldRows({ scope: scopeOf(visit.visitor), limit: 1, id })
  if (!row) {
    const now = (await ledger.issuances.states([id])).get(id)
    return nothingChanged(console, back, now ? `i${id} needs no decision: ${whyLeft(id, now, 'held')}` : '')
  }
  await ledger.consoleActs.note({ by: visit.visitor.name, act: 'looked at a held row', issuance: id }, clock.now())
  const [person] = await ledger.consoleReadings.recipients([id])
  const recipient = person?.recipient ?? null
  const place = `${address.base}/held/i${id}`
  const looksNow = returned !== undefined || visit.query.get('report') === 'now'
  const scope = scopeOf(visit.visitor)
  const now: Markup =
    recipient &&
    (looksNow ? shownNowBody(id, recipient, await readShownNow(console, row, recipient, scope)) : shownSoon(place))
  return page({
    title: `Decide about ${nameOf(person?.recipient) ?? `i${id}`}`,
    back: { href: '/held', text: 'Held' },
    lead: html`<a href="${address.base}${back}">i${String(id)}</a>, row ${String(row.row)} of <a href="${address.base}/runs/${row.run}">${row.source}</a>, ${row.pipeline}, held since ${times.at(row.since)}`,
    body: html`${section('Why it is held', html`<p>${sentence(asSentence(heldBecause(row)), times)}</p>`)}
${section('The evidence', heldEvidenceBeside(row, recipient, now), 'Look the person up in the portal of the service, too. If what you find there is this request, even with other data, it was sent; a credential can be corrected afterwards.')}
${section(
  'Decide',
  decisionForm(console, {
    action: `/held/i${id}`,
    seen: { seen: seenAt(row.since) },
    choices: answerChoices(visit.form.get('answer')),
    button: 'Decide',
    back: '/held',
    returned,
  }),
)}`,
  })
}

/** What the report shows of the row's person, for a page that is open already: the service may take seconds. */
export async function shownNowFragment(console: Console, visit: Visit): Promise<Answer> {
  const { ledger, clock } = console.parts
  const life = await visibleIssuance(console, visit)
  if (!life) return { kind: 'missing' }
  const { id } = life
  const held = await heldPerson(console, visit, id)
  if (!held) return { kind: 'missing' }
  await ledger.consoleActs.note({ by: visit.visitor.name, act: 'looked in the report', issuance: id }, clock.now())
  const shown = await readShownNow(console, held.row, held.recipient, scopeOf(visit.visitor))
  return { kind: 'fragment', body: shownNowBody(id, held.recipient, shown), isLast: true }
}

export async function resolveHeldRow(console: Console, visit: Visit): Promise<Answer> {
  const life = await visibleIssuance(console, visit)
  if (!life) return { kind: 'missing' }
  const { id } = life
  const answer = readAnswer(visit.form)
  const again = (returned: Returned) => heldRowPage(console, visit, returned)
  return answerDecision(console, visit, {
    to: `/people/i${id}`,
    fault:
      answer === null
        ? 'Say whether the service has the request. Nothing was changed yet.'
        : answer === 'not sent' && !(await wasShown(console, visit, id))
          ? 'Whether it may be sent again depends on what the report shows of this person now. Look at that first: it is part of the evidence above. Nothing was changed yet.'
          : null,
    again,
    async decide(decision) {
      if (answer === 'not sent') await refuseIfShownSince(console, visit, id)
      const seen = new Map([[id, readSeen(visit.form)]])
      const result = await resolveHeldRows(console.parts, { ids: [id], answer: answer ?? 'sent', seen }, decision)
      if (result.decided.length === 0) throw new RefusedDecisionError(result.unchanged.join('\n'))
      return { issuance: id, message: resolvedSentence(`i${id}`, answer ?? 'sent', result) }
    },
  })
}

/** Whether the page had shown what is in the report, if there is anybody to search for. */
async function wasShown({ parts }: Console, { form }: Visit, id: number): Promise<boolean> {
  if (!['unread', null].includes(form.get('shown'))) return true
  const [person] = await parts.ledger.consoleReadings.recipients([id])
  return !person?.recipient
}

/**
 * What is sent again counts as new, so that an item which the report has shown meanwhile would never be taken for it: the
 * person would be issued twice.
 */
async function refuseIfShownSince(console: Console, visit: Visit, id: number): Promise<void> {
  const held = await heldPerson(console, visit, id)
  if (!held) return
  const now = await readShownNow(console, held.row, held.recipient, scopeOf(visit.visitor))
  if (now === 'unread')
    throw new RefusedDecisionError(
      'The report cannot be read just now, and it may show the credential by now. Nothing was changed.',
    )
  if (isPart(now)) throw new RefusedDecisionError(`${partSentence(id)} Nothing was changed.`)
  if (namesOfShown(now) !== visit.form.get('shown'))
    throw new RefusedDecisionError(
      'The report shows something else of this person than it did when you opened the page. Look at the evidence again. Nothing was changed.',
    )
}

/** The row with its recipient; null if it is not held, or nothing is kept of the person. */
async function heldPerson({ parts: { ledger } }: Console, { visitor }: Visit, id: number) {
  const [row] = await ledger.decisions.heldRows({ scope: scopeOf(visitor), limit: 1, id })
  const [person] = await ledger.consoleReadings.recipients([id])
  return row && person?.recipient ? { row, recipient: person.recipient } : null
}
