// Sends failed rows again: one of them, or all of a run that can be sent again.

import { visibleIssuance, visibleRun } from '#src/extensions/console/visible-run.ts'
import { noneToRetry, retryFailedRows, retryFailedRowsOfRun } from '#src/issuing/decisions/decide-rows.ts'
import { RefusedDecisionError } from '#src/issuing/decisions/refused-decision-error.ts'
import { canBeSentAgain, whyLeft } from '#src/issuing/decisions/why-unchanged.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import type { RetriableRow } from '#src/ledger/rows-to-decide.ts'
import { facts, section, table, words } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { nameOf, personLink, sentFields } from '../html/recipient.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, page, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged } from './answer-decision.ts'
import { decisionForm, type Returned, readSeen, seenAt } from './decision-form.ts'

const mostShown = 200

const effect = (one: boolean): Markup =>
  html`<p>${one ? 'The row is' : 'The rows are'} sent again, one at a time, as if for the first time. Nothing about ${one ? 'it' : 'them'} changes: if the data were the reason, ${one ? 'it fails' : 'they fail'} again. An operator can correct the data of a failed row.</p>`

export async function retryRowPage(console: Console, visit: Visit, returned?: Returned): Promise<Answer> {
  const { ledger, clock } = console.parts
  const life = await visibleIssuance(console, visit)
  if (!life) return { kind: 'missing' }
  const { id } = life
  const back = `/people/i${id}`
  const now = (await ledger.issuances.states([id])).get(id)
  if (!now) return { kind: 'missing' }
  if (!canBeSentAgain(now))
    return nothingChanged(console, back, `i${id} is not sent again, because ${whyLeft(id, now, 'failed')}`)
  await ledger.consoleActs.note(
    { by: visit.visitor.name, act: 'looked at a person', issuance: id, run: life.run },
    clock.now(),
  )
  const [person] = await ledger.consoleReadings.recipients([id])
  return page({
    title: `Send ${nameOf(person?.recipient) ?? `i${id}`} again`,
    back: { href: back, text: `i${id}` },
    body: html`${section('What will happen', effect(true))}
${section('To whom', html`${facts([['Failed because', life.reason === null ? words('no reason was given') : sentence(asSentence(life.reason), console.times)]])}${sentFields(person?.recipient)}`)}
${section(
  'Decide',
  decisionForm(console, {
    action: `${back}/retry`,
    seen: { seen: seenAt(life.stateSince) },
    button: 'Send it again',
    back,
    returned,
  }),
)}`,
  })
}

export async function retryRow(console: Console, visit: Visit): Promise<Answer> {
  const life = await visibleIssuance(console, visit)
  if (!life) return { kind: 'missing' }
  const { id } = life
  return answerDecision(console, visit, {
    to: `/people/i${id}`,
    again: (returned) => retryRowPage(console, visit, returned),
    async decide(decision) {
      const seen = new Map([[id, readSeen(visit.form)]])
      const { decided, unchanged } = await retryFailedRows(console.parts, { ids: [id], seen }, decision)
      if (decided.length === 0) throw new RefusedDecisionError(unchanged.join('\n'))
      return { issuance: id, message: `i${id} is sent again, on its own, while a worker runs.` }
    },
  })
}

export async function retryRunPage(console: Console, visit: Visit, returned?: Returned): Promise<Answer> {
  const { ledger, clock } = console.parts
  const run = await visibleRun(console, visit)
  if (!run) return { kind: 'missing' }
  const back = `/runs/${run.id}`
  const { rows, count, until } = await ledger.decisions.retriable(run.id, mostShown)
  if (count === 0) return nothingChanged(console, back, noneToRetry(run.id))
  await ledger.consoleActs.note({ by: visit.visitor.name, act: 'looked at failed rows', run: run.id }, clock.now())
  return page({
    title: `Send ${countOf(count, 'failed row')} of ${run.sourceName} again`,
    back: { href: back, text: run.sourceName },
    lead: html`${run.pipeline} <span class="remark">run ${run.id}</span>`,
    body: html`${section('What will happen', effect(count === 1))}
${section('To whom', html`${await rowTable(console, rows)}${count > rows.length ? html`<p>And ${countOf(count - rows.length, 'more row')}.</p>` : null}`)}
${section(
  'Decide',
  decisionForm(console, {
    action: `${back}/retry`,
    seen: { until: seenAt(until) },
    button: count === 1 ? 'Send it again' : `Send these ${countOf(count, 'row')} again`,
    back,
    returned,
  }),
)}`,
  })
}

async function rowTable({ parts, address, times }: Console, rows: readonly RetriableRow[]): Promise<Markup> {
  const people = await parts.ledger.consoleReadings.recipients(rows.map(({ id }) => id))
  const found = new Map(people.map(({ issuance, recipient }) => [issuance, recipient]))
  return table(
    'Failed rows that can be sent again',
    [{ title: 'Who', names: true }, { title: 'Row', numeric: true }, { title: 'Failed' }, { title: 'Because' }],
    rows.map(({ id, row, reason, since }) => [
      personLink(`${address.base}/people/i${id}`, id, found.get(id)),
      words(row),
      times.at(since),
      reason === null ? words('–') : sentence(asSentence(reason), times),
    ]),
  )
}

export async function retryRun(console: Console, visit: Visit): Promise<Answer> {
  const run = await visibleRun(console, visit)
  if (!run) return { kind: 'missing' }
  return answerDecision(console, visit, {
    to: `/runs/${run.id}`,
    again: (returned) => retryRunPage(console, visit, returned),
    async decide(decision) {
      const until = readSeen(visit.form, 'until')
      const { decided, unchanged } = await retryFailedRowsOfRun(console.parts, { run: run.id, until }, decision)
      if (decided.length === 0) throw new RefusedDecisionError(unchanged.join('\n'))
      const message = `${countOf(decided.length, 'row')} of run ${run.id.slice(0, 8)} ${decided.length === 1 ? 'is' : 'are'} sent again, one at a time, while a worker runs.`
      return { run: run.id, message }
    },
  })
}
