// The page of one uploaded list: how far its rehearsal is and what it found out, what to know about the workers, and
// the decision to issue it.

import { hostname } from 'node:os'
import { otherSettingsSentence, workersOfLists } from '#src/app/running-workers.ts'
import { bad, callouts, section, warning } from '#src/extensions/console/html/elements.ts'
import { html, type Markup } from '#src/extensions/console/html/markup.ts'
import { sentence } from '#src/extensions/console/html/sentences.ts'
import { sameFileSentence } from '#src/extensions/console/uploads/issue-upload.ts'
import type { Upload } from '#src/extensions/console/uploads/open-uploads.ts'
import type { FinishedRehearsal, Rehearsal } from '#src/extensions/console/uploads/rehearsal-record.ts'
import { type Answer, type Console, note, page, type Visit } from '#src/extensions/console/visit.ts'
import { doesOneOf } from '#src/ledger/workers/worker-registration.ts'
import { outcomeBody } from './rehearsal-outcome.ts'
import { sizeWords } from './upload.ts'

export const rehearsalPage = (console: Console, _visit: Visit, upload: Upload): Promise<Answer> =>
  shownUpload(console, upload)

/** Shows the first people as they would be sent. That is recorded, like every look at a person. */
export async function showPeople(console: Console, visit: Visit, upload: Upload): Promise<Answer> {
  const rehearsal = await console.uploads.rehearsalOf(upload.id)
  if (rehearsal?.kind !== 'finished') return { kind: 'redirect', to: `/upload/${upload.id}` }
  const detail = `${rehearsal.unmasked.length} of ${upload.pipeline}`
  await note(console, visit, 'looked at people in a rehearsal', { detail })
  return shownUpload(console, upload, { unmasked: true })
}

interface ShownOptions {
  unmasked?: boolean
  fault?: string
  status?: number
}

export async function shownUpload(console: Console, upload: Upload, options: ShownOptions = {}): Promise<Answer> {
  const { parts, uploads, times } = console
  const run = await parts.ledger.issuedLists.runOf(upload.id)
  if (run !== null) return { kind: 'redirect', to: `/runs/${run}` }
  const rehearsal = await uploads.rehearsalOf(upload.id)
  return page(
    {
      title: upload.name,
      back: { href: '/upload', text: 'Upload' },
      lead: html`${upload.pipeline}, uploaded ${times.at(upload.at)} by ${upload.by}, ${sizeWords(upload.bytes)}`,
      body: html`${options.fault !== undefined && callouts([bad('Nothing was done.', sentence(options.fault, times))])}
${await bodyOf(console, upload, rehearsal, options.unmasked ?? false)}`,
    },
    options.status,
  )
}

async function bodyOf(
  console: Console,
  upload: Upload,
  rehearsal: Rehearsal | null,
  unmasked: boolean,
): Promise<Markup> {
  const { times, address } = console
  const action = `${address.base}/upload/${upload.id}`
  const discard = actForm(`${action}/discard`, 'Discard this list')
  const again = html`<div class="acts">${actForm(`${action}/rehearse`, 'Rehearse again')}${discard}</div>`
  switch (rehearsal?.kind) {
    case 'finished':
      return html`${because(rehearsal)}${outcomeBody(rehearsal, { console, action, unmasked, warnings: await workerWarnings(console) })}${await decision(console, upload, rehearsal, action)}`
    case 'refused':
      return html`${section(
        'This list cannot be issued',
        lines(rehearsal.sentence, times),
        'Nothing was issued. Change the file and upload it again; if the settings of the pipeline are wrong, ask whoever runs credsync.',
      )}
${again}`
    case 'failed':
      return html`${callouts([warning('The list could not be rehearsed right now.', sentence(rehearsal.sentence, times))])}
${again}`
    default:
      return html`<div data-live="${action}/progress" data-every="1" data-then="reload">${progress(console, upload)}</div>
<p><a href="${action}">Refresh</a></p><div class="acts">${discard}</div>`
  }
}

/** Requested until the rehearsal has ended; then the page is loaded again. */
export async function rehearsalFragment(console: Console, _visit: Visit, upload: Upload): Promise<Answer> {
  const rehearsal = await console.uploads.rehearsalOf(upload.id)
  const isLast = rehearsal !== null && rehearsal.kind !== 'under way'
  return { kind: 'fragment', body: progress(console, upload), isLast }
}

function progress({ rehearsals }: Console, { id }: Upload): Markup {
  const rows = rehearsals.rowsRead(id)
  const text = rows
    ? `${rows.toLocaleString('en-GB')} rows read so far`
    : 'It starts in a moment: lists are rehearsed one at a time.'
  return section(
    'Being rehearsed',
    html`<p class="big">${text}</p>`,
    'You may close this page. For a day, you find the list under Upload.',
  )
}

function because({ because: changes }: FinishedRehearsal): Markup {
  const title = 'Nothing was issued, because something had changed. The list was rehearsed again: look at it once more.'
  return changes.length > 0 && callouts([warning(title, changes.join(' '))])
}

async function decision(
  { parts, address, times }: Console,
  { pipeline }: Upload,
  { document, at, basis }: FinishedRehearsal,
  action: string,
): Promise<Markup> {
  const again = html`${actForm(`${action}/rehearse`, 'Rehearse again')}${actForm(`${action}/discard`, 'Discard this list')}`
  const same = await parts.ledger.issuedLists.unfinished({ pipeline, sourceSha256: basis.sha256 })
  if (same)
    return section(
      'It cannot be issued now',
      html`<p>${sentence(sameFileSentence(same), times)}</p><p><a href="${address.base}/runs/${same.id}">The run of this file</a></p><div class="acts">${again}</div>`,
    )
  const { new: people, brake, reportShows } = document
  const waits = brake !== null || reportShows !== undefined
  const credentials = people === 1 ? '1 credential' : `${people.toLocaleString('en-GB')} credentials`
  const button = people === 0 ? 'Submit' : waits ? 'Submit for a decision' : `Issue ${credentials}`
  const hint =
    people === 0
      ? 'Nobody on it is new, so nothing would be issued. You would get a results file.'
      : waits
        ? 'It would be held, and nothing issued, until somebody decides on the page of its run.'
        : 'A credential that was issued can be revoked, but not unsent. Exactly this file is issued; if anything has changed since the rehearsal, nothing is, and you are told.'
  return section(
    'Issue it',
    html`<div class="acts"><form method="post" action="${action}/issue"><input type="hidden" name="sha256" value="${basis.sha256}"><input type="hidden" name="rehearsed" value="${at}"><button class="primary">${button}</button></form>${again}</div>`,
    hint,
  )
}

function actForm(action: string, name: string): Markup {
  return html`<form method="post" action="${action}"><button>${name}</button></form>`
}

/** A message with a line for each fault. */
function lines(text: string, times: Console['times']): Markup {
  const [first, ...others] = text.split('\n').map((line) => sentence(line.trim().replace(/^- /, ''), times))
  return html`<p>${first}</p>${others.length > 0 && html`<ul>${others.map((line) => html`<li>${line}</li>`)}</ul>`}`
}

/**
 * What a person should know before handing over a list: it stays on this machine, and is issued with the settings of
 * the workers.
 */
async function workerWarnings({ parts }: Pick<Console, 'parts'>): Promise<string[]> {
  const workers = await workersOfLists(parts)
  const other = otherSettingsSentence(workers, parts.settings)
  return [
    ...whereItIsRead(workers.filter((worker) => doesOneOf(worker, ['intake']))),
    ...(other === null ? [] : [`${other}: until then, the list cannot be issued here.`]),
  ]
}

function whereItIsRead(readers: readonly { host: string }[]): string[] {
  if (readers.length === 0)
    return [
      'No worker that reads lists is running. The list waits until one does, and is issued with the settings of that one.',
    ]
  if (readers.some(({ host }) => host === hostname())) return []
  const hosts = [...new Set(readers.map(({ host }) => host))].join(', ')
  return [
    `No worker on this machine reads lists. One on another machine (${hosts}) can read this one only if both have the same data directory; otherwise it is refused after ten minutes, and nothing is issued.`,
  ]
}
