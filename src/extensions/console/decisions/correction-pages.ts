// The pages of a correction: a form with the fields of the course, and the difference with the decision. Pure.

import { createHash } from 'node:crypto'
import type { Field } from '#src/domain/recipient/field.ts'
import type { CorrectionTarget } from '#src/issuing/decisions/correction-target.ts'
import type { ProposedChange, WantedChange } from '#src/issuing/decisions/propose-change.ts'
import { callouts, facts, rowName, section, table, warning } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { contactOf, nameOf } from '../html/recipient.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, page } from '../visit.ts'
import { decisionForm, decisionPage, type Returned, seenAt } from './decision-form.ts'

type Values = Readonly<Record<string, string>>

const prefix = 'set.'

/** The values that a form has for fields, by their display names. */
export function valuesIn(form: URLSearchParams): Values {
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of form)
    if (name.startsWith(prefix)) values[name.slice(prefix.length)] = value.replaceAll('\r\n', '\n').trim()
  return values
}

const whoIs = ({ recipient, issuanceId }: CorrectionTarget): string => nameOf(recipient) ?? `i${issuanceId}`

const leadOf = ({ issuanceId, credentialId, pipeline }: CorrectionTarget): Markup =>
  html`i${issuanceId}, ${credentialId ? `credential ${credentialId}` : 'failed, without a credential'}, ${pipeline}`

export function fieldsPage(
  { address }: Pick<Console, 'address'>,
  form: { target: CorrectionTarget; tools: { fields: readonly Field[] }; values: Values; fault: string | null },
): Answer {
  const { target, tools, values, fault } = form
  const back = `/people/i${target.issuanceId}`
  return page(
    {
      title: `Correct ${whoIs(target)}`,
      back: { href: back, text: `i${target.issuanceId}` },
      lead: leadOf(target),
      body: html`<form method="post" action="${address.base}${back}/correct" class="card decision">
<p>Enter the right data. The next page shows the difference, and nothing is changed before you decide there. The person, the course and the occasion cannot be changed: revoke the credential instead, and hand in the right data.</p>
${fault !== null && html`<div class="fault" role="alert" id="fault">${fault.split('\n').map((line) => html`<p>${asSentence(line)}</p>`)}</div>`}
<input type="hidden" name="seen" value="${seenAt(target.stateSince)}">
${tools.fields.map((field, at) => fieldInput(field, values[field.displayName] ?? '', at))}
<p class="actions"><button class="primary">Show the difference</button> <a href="${address.base}${back}">Cancel</a></p></form>`,
    },
    fault === null ? 200 : 422,
  )
}

function fieldInput({ displayName, options }: Field, value: string, at: number): Markup {
  const [id, name] = [`field-${at}`, `${prefix}${displayName}`]
  if (options.length === 0)
    return html`<label for="${id}">${displayName}<input id="${id}" name="${name}" value="${value}" autocomplete="off" spellcheck="false"></label>`
  const all = options.includes(value) ? ['', ...options] : ['', value, ...options]
  return html`<label for="${id}">${displayName}<select id="${id}" name="${name}">${[...new Set(all)].map((option) => html`<option value="${option}"${option === value ? html` selected` : null}>${option === '' ? '(empty)' : option}</option>`)}</select></label>`
}

export function differencePage(
  console: Pick<Console, 'address' | 'times'>,
  shown: {
    target: CorrectionTarget
    proposed: ProposedChange
    change: WantedChange
    whyNot: string | null
    last: number | null
    returned?: Returned | undefined
  },
): Answer {
  const { target, proposed, whyNot, last, returned } = shown
  const { correction, source } = proposed
  const back = `/people/i${target.issuanceId}`
  return decisionPage({
    title: `Correct ${whoIs(target)}`,
    back: { href: `${back}/correct`, text: 'The fields' },
    lead: leadOf(target),
    before: section('The difference', html`${differenceTable(target, proposed)}${imageWords(target, proposed)}`),
    effect: html`<p>${effect(target)}</p>`,
    whom: facts([
      ['Who', html`${whoIs(target)} <span class="remark">${contactOf(target.recipient)}</span>`],
      ['Credential', target.credentialId ?? 'none yet'],
      ['Data from', source && `row ${source}`],
    ]),
    decide:
      whyNot === null
        ? decisionForm(console, {
            action: `${back}/correct/issue`,
            seen: {
              seen: seenAt(target.stateSince),
              last: String(last ?? ''),
              shown: correctionHash(correction),
              ...changeFields(shown.change, correction),
            },
            button: target.credentialId ? 'Correct permanently' : 'Send it again, corrected',
            isFinal: target.credentialId !== null,
            back,
            returned,
          })
        : callouts([
            warning(
              'The corrected credential could not be issued now.',
              html`${sentence(asSentence(whyNot), console.times)} Nothing can be decided until then: the person would be left without a credential.`,
            ),
          ]),
  })
}

/** A hash of what a correction would make, so that the decision can tell whether it is still the one that was shown. */
export function correctionHash({ recipient, changedFields, imageSha256 }: ProposedChange['correction']): string {
  const fields = Object.keys(recipient).sort()
  const made = [fields.map((field) => [field, recipient[field]]), changedFields, imageSha256?.toString('hex') ?? null]
  return createHash('sha256').update(JSON.stringify(made)).digest('hex')
}

/** What the decision is about, so that it is worked out anew from the same data. */
function changeFields(change: WantedChange, { recipient, changedFields }: ProposedChange['correction']): Values {
  if (!('values' in change)) return { from: `${change.run}:${change.row}` }
  return Object.fromEntries(changedFields.map((field) => [`${prefix}${field}`, recipient[field] ?? '']))
}

function differenceTable({ recipient }: CorrectionTarget, { correction }: ProposedChange): Markup {
  const value = (values: Values, field: string) => values[field] || '(empty)'
  const fields = correction.changedFields.filter((field) => field in recipient || field in correction.recipient)
  return table(
    'What changes',
    [rowName('Field'), 'Now', 'Corrected'],
    fields.map((field) => [field, value(recipient, field), value(correction.recipient, field)]),
  )
}

function imageWords({ image }: CorrectionTarget, { correction, source }: ProposedChange): Markup {
  if (correction.imageSha256)
    return html`<p>${correction.changedFields.at(-1) ?? 'Image'}: the image from row ${source ?? ''} is sent.</p>`
  return image && html`<p>The image of the row is sent again, unchanged.</p>`
}

function effect({ state, credentialId }: CorrectionTarget): Markup {
  if (!credentialId)
    return html`No credential has been issued yet. The row is sent again with the corrected data, on its own, and nothing is revoked.`
  if (state === 'revoked') return html`The credential is already revoked. The corrected one is issued in its place.`
  return html`Credential ${credentialId} is revoked first, which <strong>cannot be undone</strong>. The corrected one is issued in its place once that is confirmed: the person has no valid credential in between.`
}
