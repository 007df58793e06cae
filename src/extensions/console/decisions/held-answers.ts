// The answers about held rows, and what each leads to. Pure.

import type { HeldAnswer } from '#src/issuing/decisions/decide-rows.ts'
import { heldAnswers } from '#src/issuing/descriptions/describe-held-row.ts'
import { type Forgotten, whenForgotten } from '#src/ledger/forgotten-people.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence } from '../html/sentences.ts'

const titles: Readonly<Record<HeldAnswer, string>> = { sent: 'Sent', 'not sent': 'Not sent' }

export function answerChoices(chosen: string | null): Markup {
  const choice = ({ answer, leadsTo }: { answer: HeldAnswer; leadsTo: string }, at: number) =>
    html`<label class="choice"><input type="radio" name="answer" value="${answer}" required aria-describedby="answer-${at}"${answer === chosen && html` checked`}><span><strong>${titles[answer]}</strong><span class="leads-to" id="answer-${at}">${asSentence(leadsTo)}</span></span></label>`
  return html`<fieldset><legend>Does the service have this request?</legend>${heldAnswers(0).map(choice)}</fieldset>`
}

export function readAnswer(form: URLSearchParams): HeldAnswer | null {
  const answer = form.get('answer')
  return answer === 'sent' || answer === 'not sent' ? answer : null
}

/** What happened and what comes next. */
export function resolvedSentence(id: number, answer: HeldAnswer, withdrawn: ReadonlyMap<number, Forgotten>): string {
  const forgotten = withdrawn.get(id)
  if (forgotten) return `i${id} is withdrawn instead, because ${whenForgotten(forgotten)}.`
  return answer === 'sent'
    ? `i${id} is followed in the report, and nothing is sent.`
    : `i${id} is sent again, as if for the first time, as soon as a worker runs.`
}
