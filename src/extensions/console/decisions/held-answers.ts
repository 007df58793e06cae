// The answers about held rows, and what each leads to. Pure.

import type { DecidedRows, HeldAnswer } from '#src/issuing/decisions/decide-rows.ts'
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

/** More of them would fill the page. */
const mostNamed = 5

/** What happened and what comes next. @param subject the id of one row, or the number of several */
export function resolvedSentence(
  subject: string,
  answer: HeldAnswer,
  { decided, withdrawn, unchanged }: DecidedRows & { withdrawn: ReadonlyMap<number, Forgotten> },
): string {
  const is = decided.length === 1 ? 'is' : 'are'
  const done =
    answer === 'sent'
      ? `${subject} ${is} followed in the report, and nothing is sent.`
      : `${subject} ${is} sent again, as if for the first time, while a worker runs.`
  const gone = [...withdrawn].map(
    ([id, forgotten]) => `i${id} is withdrawn instead, because ${whenForgotten(forgotten)}.`,
  )
  const left = unchanged.length
  const named = unchanged.slice(0, mostNamed)
  if (left === 0) return [done, ...gone].join(' ')
  const count = left === 1 ? '1 row was left as it is.' : `${left} rows were left as they are.`
  return [done, ...gone, count, ...named, ...(left > mostNamed ? [`And ${left - mostNamed} more.`] : [])].join(' ')
}
