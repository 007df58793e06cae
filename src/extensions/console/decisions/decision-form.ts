// The page of a decision, and the form with which it ends: what the page showed, a field for the reason, and one
// button. Pure.

import { oneLine } from '#src/platform/text.ts'
import { section } from '../html/elements.ts'
import type { PageContent } from '../html/layout.ts'
import { html, type Markup } from '../html/markup.ts'
import { type Answer, type Console, page } from '../visit.ts'

const maxReason = 500

/** What a person wrote into the form before, with what is wrong with it. */
export interface Returned {
  reason: string
  fault: string
}

export interface DecisionForm {
  /** Where it is sent, without the base. */
  action: string
  /** What the page shows, so that the ledger can tell whether it has changed since. */
  seen: Readonly<Record<string, string>>
  /** Fields before the reason. */
  choices?: Markup
  button: string
  /** Whether it cannot be undone. */
  isFinal?: boolean
  /** Leads back without a decision. */
  back: string
  returned?: Returned | undefined
}

interface DecisionPage extends Omit<PageContent, 'body'> {
  before?: Markup
  effect: Markup
  whom: Markup
  /** The form, or why nothing can be decided now. */
  decide: Markup
}

export const decisionPage = ({ before = null, effect, whom, decide, ...content }: DecisionPage): Answer =>
  page({
    ...content,
    body: html`${before}${section('What will happen', effect)}
${section('Details', whom)}
${section('Decide', decide)}`,
  })

export function decisionForm({ address }: Pick<Console, 'address'>, form: DecisionForm): Markup {
  const { action, seen, choices = null, button, isFinal = false, back, returned } = form
  return html`<form method="post" action="${address.base}${action}" class="decision">
${returned && html`<p class="fault" role="alert" id="fault">${returned.fault}</p>`}
${Object.entries(seen).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${choices}<label for="reason">Reason</label>
<p class="note" id="reason-note">The next reader of the history sees it with your name. Name no people in it: it is kept when their data are deleted.</p>
<textarea id="reason" name="reason" rows="2" maxlength="${maxReason}" required aria-describedby="reason-note${returned ? ' fault' : ''}">${returned?.reason ?? ''}</textarea>
<p class="actions"><button class="${isFinal ? 'final' : 'primary'}">${button}</button> <a href="${address.base}${back}">Cancel</a></p></form>`
}

/** Reads the reason from a form that was sent: as one line. */
export function readReason(form: URLSearchParams): { reason: string; fault: string | null } {
  const reason = oneLine(form.get('reason') ?? '')
  if (reason === '') return { reason, fault: 'Give a reason. Nothing has been changed yet.' }
  if ([...reason].length > maxReason)
    return { reason, fault: `The reason has more than ${maxReason} characters. Nothing has been changed yet.` }
  return { reason, fault: null }
}

/** An instant as a form keeps it. */
export const seenAt = (instant: Date | null): string => (instant === null ? '' : String(instant.getTime()))

/** Reads what `seenAt` wrote. Without it, returns the epoch, with which nothing is as it was seen. */
export function readSeen(form: URLSearchParams, name = 'seen'): Date {
  const text = form.get(name) ?? ''
  return new Date(/^\d{1,15}$/.test(text) ? Number(text) : 0)
}
