// The evidence about a held row, side by side: what was sent, what the report showed when it was held, and what it shows
// now.

import { type FieldRole, keyWithRole } from '#src/domain/recipient/field-role.ts'
import type { PipelineScope } from '#src/extensions/console/ledger/run-pages.ts'
import { findShownItems, type ShownItem, type ShownItems } from '#src/issuing/decisions/shown-items.ts'
import { heldAnswers, heldEvidence } from '#src/issuing/descriptions/describe-held-row.ts'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import type { HeldRow, ReportItemName } from '#src/ledger/rows-to-decide.ts'
import { within } from '#src/platform/time/deadline.ts'
import { callouts, label, rowName, table, warning } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { sentFields } from '../html/recipient.ts'
import { asSentence } from '../html/sentences.ts'
import type { Console } from '../visit.ts'

/** A page does not wait longer than this for the report. */
const reportMs = 5_000

type Recipient = Readonly<Record<string, string>>

/** What the report shows of the person; `none` if there is nothing to search by, `unread` if it cannot be read now. */
export type ShownNow = ShownItems | 'none' | 'unread'

/**
 * What somebody who sees the pipelines of `scope` may see of it: others may have issued credentials to the same person.
 */
export async function readShownNow(
  { parts }: Console,
  row: HeldRow,
  recipient: Recipient,
  scope: PipelineScope,
): Promise<ShownNow> {
  const mayShow = (items: readonly ReportItemName[]) => parts.ledger.consoleReadings.visibleItems(items, row.id, scope)
  try {
    return (await within(parts.clock, reportMs, findShownItems(parts, recipient, row, mayShow))) ?? 'none'
  } catch {
    return 'unread'
  }
}

/** Names the items, so that a decision can tell whether the report has shown another one since. Pure. */
export const namesOfShown = (shown: ShownNow): string =>
  typeof shown === 'string'
    ? shown
    : shown.items
        .map(({ key }) => key)
        .toSorted()
        .join(' ')

/** @param now what the report shows now; null if nothing is kept of the person */
export function evidenceSideBySide(row: HeldRow, recipient: Recipient | null, now: ShownNow | null): Markup {
  const { sent, shown } = heldEvidence(row)
  return html`<div class="sides">
<div><h3>Sent</h3><p>${asSentence(sent)}</p>${sentFields(recipient)}</div>
<div><h3>Shown by the report, when the row was held</h3><p>${asSentence(shown)}</p></div>
</div>
${
  recipient &&
  now &&
  html`<h3>Shown by the report now</h3>${itemsNow(recipient, now)}${isPart(now) && callouts([warning(partSentence(row.id))])}`
}`
}

/** Whether the report may show more of the person than the page does. Pure. */
export const isPart = (shown: ShownNow): boolean => typeof shown !== 'string' && shown.isPart

/** Why a row of such a person is not sent again here, and what to do. Pure. */
export const partSentence = (id: number): string =>
  `The report shows more for this address or number than this page does, so that i${id} was not sent cannot be decided here. Look for the request in the portal of the service. If it is not there, ask whoever runs credsync for \`${notSentCommand(id)}\`.`

const notSentCommand = (id: number) => heldAnswers(id).find(({ answer }) => answer === 'not sent')?.command

function itemsNow(recipient: Recipient, shown: ShownNow): Markup {
  if (shown === 'unread') return html`<p>The report could not be read right now. Reload the page to try again.</p>`
  if (shown === 'none') return html`<p>The person has no address or number by which the report could be searched.</p>`
  const { items, hidden } = shown
  const others =
    hidden > 0 &&
    html`<p>${countOf(hidden, 'more item')} of a person with this address or number ${hidden === 1 ? 'is' : 'are'} not shown, because you may not see that course.</p>`
  if (items.length === 0)
    return html`<p>Nothing of this person${hidden > 0 ? ' for this course' : ''}. A report that is behind may show it later.</p>${others}`
  return html`${comparison(recipient, items)}${others}`
}

/** What is compared with the data that were sent, and what only the report has. */
const compared: readonly (readonly [
  title: string,
  role: FieldRole | null,
  of: (item: ItemAsShown) => string | null,
])[] = [
  ['First name', 'first name', ({ fname }) => fname],
  ['Last name', 'last name', ({ lname }) => lname],
  ['E-mail', 'email', ({ email_ }) => email_],
  ['Number', 'phone', ({ contact_number }) => contact_number],
  ['Certificate', null, ({ certificate_name }) => certificate_name],
  ['Status', null, ({ issued_status }) => issued_status],
  ['Credential', null, ({ credential_id }) => credential_id],
  ['Requested', null, ({ request_date }) => request_date],
  ['Issued', null, ({ issue_date }) => issue_date],
  ['Revoked', null, ({ revoked_date }) => revoked_date],
]

/** As many as fit beside what was sent. */
const mostBeside = 4

/** Several tables if there are more items than fit side by side. */
function comparison(recipient: Recipient, items: readonly ShownItem[]): Markup {
  if (items.length === 1) return beside(recipient, items, ['Report'])
  const starts = items.flatMap((_, at) => (at % mostBeside === 0 ? [at] : []))
  return html`${starts.map((start) => {
    const some = items.slice(start, start + mostBeside)
    return beside(
      recipient,
      some,
      some.map((_, at) => `Item ${start + at + 1}`),
    )
  })}`
}

function beside(recipient: Recipient, items: readonly ShownItem[], titles: readonly string[]): Markup {
  const keys = Object.keys(recipient)
  const rows = compared.flatMap(([title, role, shownIn]) => {
    const field = role && keyWithRole(keys, role)
    const sent = (field && recipient[field]) || null
    const values = items.map(({ item, differing }) => ({
      value: shownIn(item) || null,
      differs: field !== null && field !== undefined && differing.includes(field),
    }))
    if (sent === null && values.every(({ value }) => value === null)) return []
    return [
      [
        title,
        sent ?? '–',
        ...values.map(
          ({ value, differs }) =>
            html`<span>${value ?? '–'}${differs ? html` ${label('differs', 'warn')}` : null}</span>`,
        ),
      ],
    ]
  })
  const isOnly = titles[0] === 'Report'
  return table(
    `What was sent, and what the report shows now: ${titles.join(', ')}`,
    [rowName('Field'), 'Sent', ...titles],
    isOnly ? rows : [...rows, ['Held for it', '–', ...items.map(({ isClaimed }) => (isClaimed ? 'yes' : 'no'))]],
  )
}
