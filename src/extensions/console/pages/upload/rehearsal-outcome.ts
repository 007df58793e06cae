// What a rehearsal found out: the sum of the rows, the faults with what to do, what each column fills, and the first
// people as they would be sent. Pure.

import type { DryRunDocument } from '#src/issuing/intake/dry-run-document.ts'
import { countOf, whySkipped } from '#src/issuing/results/run-summary.ts'
import { formatDuration } from '#src/platform/time/duration.ts'
import { callouts, label, nothing, rowName, rowSum, section, table, warning } from '../../html/elements.ts'
import { html, type Markup } from '../../html/markup.ts'
import { sentence } from '../../html/sentences.ts'
import type { FinishedRehearsal, RehearsedColumn } from '../../uploads/rehearsal-record.ts'
import type { Console } from '../../visit.ts'
import { problemTable, sentenceList } from '../run.ts'
import { rowLines } from '../run-progress.ts'

interface OutcomeOptions {
  console: Pick<Console, 'times'>
  /** The address of the list. */
  action: string
  unmasked: boolean
  warnings: readonly string[]
}

export function outcomeBody(rehearsal: FinishedRehearsal, options: OutcomeOptions): Markup {
  const { document } = rehearsal
  const { times } = options.console
  const { problems, notices } = document
  return html`${warningList(document, options)}
${section('What it would do', html`${sum(document)}${rowLines(document)}${callsLine(document)}`)}
${problems.length > 0 && section('Invalid rows', problemTable(problems, { sourcePath: '' }, true), 'Nothing would be issued for these rows. You can fix them in the file now and upload it again, or issue the others: the results then have a file with only these rows.')}
${section('Columns', columnTable(rehearsal))}
${section(document.recipients.length > 1 ? `The first ${document.recipients.length} people` : 'The first person', people(rehearsal, options))}
${notices.length > 0 && section('Notes', sentenceList(notices, times))}`
}

function warningList({ brake, reportShows }: DryRunDocument, { console, warnings }: OutcomeOptions): Markup {
  const found: [title: string, text: string | null | undefined][] = [
    ['The brake would hold this list', brake],
    ['This list would wait for a decision', reportShows],
    ...warnings.map((text): [string, string] => ['Before you issue it', text]),
  ]
  const shown = found.flatMap(([title, text]) => (text ? [warning(title, sentence(text, console.times))] : []))
  return shown.length > 0 && callouts(shown)
}

function sum({ rows, new: fresh, known, changed, duplicates, notMeant = 0, invalid }: DryRunDocument): Markup {
  const skipped = known + changed + duplicates + notMeant
  return rowSum(rows, [
    { name: 'new', count: fresh, remark: 'a credential would be issued' },
    { name: 'invalid', count: invalid, remark: invalid > 0 ? 'see below' : 'every row can be used' },
    { name: 'skipped', count: skipped, remark: whySkipped({ notMeant, forgotten: 0 }) },
  ])
}

function callsLine({ calls, canary, atLeastMs, limit }: DryRunDocument): Markup {
  if (calls === 0) return html`<p>No call of the service is needed.</p>`
  const first = canary ? ', the first with one person alone, because the course is new or has had trouble' : ''
  return html`<p>${countOf(calls, 'call')} of the service${first}: ${atLeastMs < 1_000 ? 'less than a second' : `at least ${formatDuration(Math.round(atLeastMs / 1_000) * 1_000)}`} at the limit of ${String(limit)} a second.</p>`
}

const uses: Readonly<Record<RehearsedColumn['use'], Markup>> = {
  fields: null,
  images: 'the names of the images',
  where: 'who is meant',
  ours: html`${label('not read', 'calm')} credsync added it`,
  nothing: html`${label('nothing', 'warn')} only copied into the results`,
}

function columnTable({ columns, constants }: FinishedRehearsal): Markup {
  const unused = columns.filter(({ use }) => use === 'nothing').length
  const rows = [
    ...columns.map(({ title, fields, use }) => [title, use === 'fields' ? fields.join(', ') : uses[use]]),
    ...constants.map(({ field, value }) => [
      html`<span class="remark">the same in every row</span>`,
      html`${field} <span class="remark">${value}</span>`,
    ]),
  ]
  return html`${unused > 0 && html`<p class="note">${countOf(unused, 'column')} ${unused === 1 ? 'fills' : 'fill'} no field of the course.</p>`}${table('What each column fills', [rowName('Column of the file'), 'Fills the field'], rows)}`
}

function people({ document, unmasked }: FinishedRehearsal, options: OutcomeOptions): Markup {
  const shown = options.unmasked ? unmasked : document.recipients
  if (shown.length === 0) return nothing('Nobody on this list would get a credential.')
  const fields = [...new Set(shown.flatMap((recipient) => Object.keys(recipient)))]
  const rows = fields.map((field) => [field, ...shown.map((recipient) => recipient[field] ?? '')])
  if (document.images) rows.push(['Image', ...document.images])
  const columns = [rowName('Field'), ...shown.map((_, index) => (shown.length === 1 ? 'Value' : `Person ${index + 1}`))]
  const note = options.unmasked
    ? html`<p class="note">As the service would receive them. Your access is recorded in the log.</p>`
    : html`<form method="post" action="${options.action}/show" class="inline"><p class="note">As the service would receive them, but masked.</p><button>Show them unmasked</button></form>`
  return html`${note}${table('The first people as they would be sent', columns, rows)}`
}
