// Approves or rejects a run that the brake holds.

import {
  approvedWords,
  type BrakeChoice,
  decideBrakedRun,
  whyUndecided,
} from '#src/issuing/decisions/decide-braked-run.ts'
import { heldPeopleLines } from '#src/issuing/results/held-people.ts'
import { brakeReason, countOf } from '#src/issuing/results/run-summary.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { facts, figure } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { sentence } from '../html/sentences.ts'
import { type Answer, type Console, note, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged } from './answer-decision.ts'
import { decisionForm, decisionPage, type Returned, readSeen, seenAt } from './decision-form.ts'

export const approvePage = (console: Console, visit: Visit, run: Run) => choicePage(console, visit, run, 'approve')
export const rejectPage = (console: Console, visit: Visit, run: Run) => choicePage(console, visit, run, 'reject')
export const approveRun = (console: Console, visit: Visit, run: Run) => decide(console, visit, run, 'approve')
export const rejectRun = (console: Console, visit: Visit, run: Run) => decide(console, visit, run, 'reject')

async function choicePage(
  console: Console,
  visit: Visit,
  run: Run,
  choice: BrakeChoice,
  returned?: Returned,
): Promise<Answer> {
  const { parts, times } = console
  const { ledger } = parts
  const back = `/runs/${run.id}`
  const since = await ledger.brake.since(run.id)
  if (!since) return nothingChanged(console, back, whyUndecided(run.id, run))
  const people = isCompletionsPath(run.sourcePath) ? await ledger.elsewhere.held(run.id) : []
  if (people.length > 0) await note(console, visit, 'looked at the people of a held run', { run: run.id })
  const approves = choice === 'approve'
  return decisionPage({
    title: `${approves ? 'Approve' : 'Reject'} ${run.sourceName}`,
    back: { href: back, text: run.sourceName },
    lead: html`${run.pipeline}, received ${times.at(run.receivedAt)} <span class="remark">run ${run.id}</span>`,
    effect: approves ? approving(run) : rejecting,
    whom: html`${facts([
      ['Would issue', run.brake && countOf(run.brake.accepted, 'credential')],
      ['Usual', run.brake?.usual == null ? 'not known yet' : figure(run.brake.usual)],
      ['Held', html`since ${times.at(since)}: ${sentence(brakeReason(run.brake), times)}`],
      [
        'Source',
        html`${run.sourceName} <span class="remark">SHA-256 <code>${run.sourceSha256.slice(0, 16)}…</code></span>`,
      ],
    ])}${peopleList(run, heldPeopleLines(people))}`,
    decide: decisionForm(console, {
      action: `${back}/${choice}`,
      seen: { seen: seenAt(since) },
      button: approves ? 'Approve and issue' : 'Reject and issue nothing',
      isFinal: !approves,
      back,
      returned,
    }),
  })
}

function approving(run: Run): Markup {
  const { extent, condition } = approvedWords(run)
  return html`<p>The source is read again, and credentials are issued to its people, ${extent}.${condition} A credential that was issued can only be revoked.</p>
${run.brake?.shown && !run.brake.adopted && html`<p>The report shows credentials for this course that the ledger does not know. If they belong to these people, each would get a second one: have an operator record them first with <code>credsync adopt --pipeline ${run.pipeline}</code>.</p>`}`
}

const rejecting = html`<p>None of it is issued. The run is refused permanently, and whoever submitted it can read your reason. Hand in the right data as a new list.</p>`

function peopleList(run: Run, lines: readonly string[]): Markup {
  if (!isCompletionsPath(run.sourcePath))
    return html`<p class="note">Its people are in the file only: nothing of a held list is kept in the ledger.</p>`
  return html`<ul class="plain">${lines.map((line) => html`<li>${line.trim()}</li>`)}</ul>`
}

function decide(console: Console, visit: Visit, run: Run, choice: BrakeChoice): Promise<Answer> {
  return answerDecision(console, visit, {
    to: `/runs/${run.id}`,
    again: (returned) => choicePage(console, visit, run, choice, returned),
    async decide(decision) {
      const decided = await decideBrakedRun(console.parts, run.id, choice, decision, readSeen(visit.form))
      const name = `Run ${run.id.slice(0, 8)}`
      if (choice === 'reject')
        return {
          run: run.id,
          message: `${name} is rejected: none of it is issued. Hand in the right data as a new list.`,
        }
      const { extent, condition } = approvedWords(decided)
      const message = `${name} is approved. A worker reads it again and issues it, ${extent}.${condition}`
      return { run: run.id, message }
    },
  })
}
