// Sends failed rows again: one of them, or all of a run that can be sent again.

import { noneToRetry, retryFailedRows, retryFailedRowsOfRun } from '#src/issuing/decisions/decide-rows.ts'
import { RefusedDecisionError } from '#src/issuing/decisions/refused-decision-error.ts'
import { canBeSentAgain, whyLeft } from '#src/issuing/decisions/why-unchanged.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import type { Explained } from '#src/ledger/explain.ts'
import type { RetriableRow } from '#src/ledger/rows-to-decide.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { facts, numbers, rowName, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { nameOf, personLink, sentFields, sentRecipients } from '../html/recipient.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, note, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged } from './answer-decision.ts'
import { decisionForm, decisionPage, type Returned, readSeen, seenAt } from './decision-form.ts'

const mostShown = 200

const effect = (one: boolean): Markup =>
  html`<p>${one ? 'The row is' : 'The rows are'} sent again, one at a time, as if for the first time. Nothing about ${one ? 'it' : 'them'} changes: if the data were the reason, ${one ? 'it fails' : 'they fail'} again. An operator can correct the data of a failed row.</p>`

export async function retryRowPage(
  console: Console,
  visit: Visit,
  life: Explained,
  returned?: Returned,
): Promise<Answer> {
  const { id, reason } = life
  const back = `/people/i${id}`
  const now = (await console.parts.ledger.issuances.states([id])).get(id)
  if (!now) return { kind: 'missing' }
  if (!canBeSentAgain(now))
    return nothingChanged(console, back, `i${id} is not sent again, because ${whyLeft(id, now, 'failed')}`)
  await note(console, visit, 'looked at a person', { issuance: id, run: life.run })
  const recipient = (await sentRecipients(console.parts.ledger, [id])).get(id)
  const because = reason === null ? 'no reason was given' : sentence(asSentence(reason), console.times)
  return decisionPage({
    title: `Send ${nameOf(recipient) ?? `i${id}`} again`,
    back: { href: back, text: `i${id}` },
    effect: effect(true),
    whom: html`${facts([['Failed because', because]])}${sentFields(recipient)}`,
    decide: decisionForm(console, {
      action: `${back}/retry`,
      seen: { seen: seenAt(life.stateSince) },
      button: 'Send it again',
      back,
      returned,
    }),
  })
}

export function retryRow(console: Console, visit: Visit, life: Explained): Promise<Answer> {
  const { id } = life
  return answerDecision(console, visit, {
    to: `/people/i${id}`,
    again: (returned) => retryRowPage(console, visit, life, returned),
    async decide(decision) {
      const seen = new Map([[id, readSeen(visit.form)]])
      const { decided, unchanged } = await retryFailedRows(console.parts, { ids: [id], seen }, decision)
      if (decided.length === 0) throw new RefusedDecisionError(unchanged.join('\n'))
      return { issuance: id, message: `i${id} is sent again, on its own, as soon as a worker runs.` }
    },
  })
}

export async function retryRunPage(console: Console, visit: Visit, run: Run, returned?: Returned): Promise<Answer> {
  const back = `/runs/${run.id}`
  const { rows, count, until } = await console.parts.ledger.decisions.retriable(run.id, mostShown)
  if (count === 0) return nothingChanged(console, back, noneToRetry(run.id))
  await note(console, visit, 'looked at failed rows', { run: run.id })
  const more = count - rows.length
  return decisionPage({
    title: `Send ${countOf(count, 'failed row')} of ${run.sourceName} again`,
    back: { href: back, text: run.sourceName },
    lead: html`${run.pipeline} <span class="remark">run ${run.id}</span>`,
    effect: effect(count === 1),
    whom: html`${await rowTable(console, rows)}${more > 0 && html`<p>And ${countOf(more, 'more row')}.</p>`}`,
    decide: decisionForm(console, {
      action: `${back}/retry`,
      seen: { until: seenAt(until) },
      button: count === 1 ? 'Send it again' : `Send these ${countOf(count, 'row')} again`,
      back,
      returned,
    }),
  })
}

async function rowTable({ parts, address, times }: Console, rows: readonly RetriableRow[]): Promise<Markup> {
  const ids = rows.map(({ id }) => id)
  const recipients = await sentRecipients(parts.ledger, ids)
  return table(
    'Failed rows that can be sent again',
    [rowName('Who'), numbers('Row'), 'Failed', 'Because'],
    rows.map(({ id, row, reason, since }) => [
      personLink(`${address.base}/people/i${id}`, id, recipients.get(id)),
      row,
      times.at(since),
      reason === null ? '–' : sentence(asSentence(reason), times),
    ]),
  )
}

export function retryRun(console: Console, visit: Visit, run: Run): Promise<Answer> {
  return answerDecision(console, visit, {
    to: `/runs/${run.id}`,
    again: (returned) => retryRunPage(console, visit, run, returned),
    async decide(decision) {
      const until = readSeen(visit.form, 'until')
      const { decided, unchanged } = await retryFailedRowsOfRun(console.parts, { run: run.id, until }, decision)
      if (decided.length === 0) throw new RefusedDecisionError(unchanged.join('\n'))
      const are = decided.length === 1 ? 'is' : 'are'
      const message = `${countOf(decided.length, 'row')} of run ${run.id.slice(0, 8)} ${are} sent again, one at a time, as soon as a worker runs.`
      return { run: run.id, message }
    },
  })
}
