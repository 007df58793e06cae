// The page on which a list is handed in, and the lists that wait to be issued.

import { sourceLimits } from '#src/files/tables/source-limits.ts'
import { label, nothing, numbers, rowName, section, table } from '../../html/elements.ts'
import { html, type Markup } from '../../html/markup.ts'
import { ListRefusedError, refusalOfDisk } from '../../uploads/list-refusals.ts'
import type { Upload } from '../../uploads/open-uploads.ts'
import { lengthOf, receiveList } from '../../uploads/receive-list.ts'
import { type Answer, type Console, note, page, type Visit, visibleOf } from '../../visit.ts'
import { visibleUploads } from './visible-upload.ts'

const maxBytes = sourceLimits.fileBytes
const lead =
  'A list is read and checked first, as a rehearsal. Nothing is issued before you have seen what it would do, and say so.'

export async function uploadPage(console: Console, visit: Visit): Promise<Answer> {
  return shownPage(console, visit, null)
}

/** Takes a list, and rehearses it in the background. */
export async function takeUpload(console: Console, visit: Visit): Promise<Answer> {
  const { parts, uploads, rehearsals } = console
  const { visitor, incoming } = visit
  if (!incoming) return shownPage(console, visit, new ListRefusedError(422, 'Choose a file.'))
  const pipelines = visibleOf(parts.pipelines.names, visitor)
  let begun: string | null = null
  try {
    const by = visitor.name
    const length = lengthOf(incoming, maxBytes)
    const { id, folder } = await uploads.begin()
    begun = id
    using space = await uploads.reserve({ folder, by, bytes: length })
    const { name, pipeline, file, bytes, sha256 } = await receiveList(incoming, {
      ...{ clock: parts.clock, folder, maxBytes, space },
      mayUse: (each) => pipelines.includes(each),
    })
    const now = parts.clock.now()
    const { environment } = parts.ledger
    const upload: Upload = { id, environment, pipeline, name, file, bytes, sha256, by, at: now.toISOString() }
    await uploads.keep(upload)
    // Noted afterwards: a list that found no room was not uploaded.
    await note(console, visit, 'uploaded a list', { detail: `for ${pipeline}` })
    rehearsals.start(upload)
    return { kind: 'redirect', to: `/upload/${id}` }
  } catch (error) {
    if (begun !== null) await uploads.remove(begun)
    const refusal = refusalOfDisk(error)
    if (!refusal) throw error
    return shownPage(console, visit, refusal)
  }
}

async function shownPage(console: Console, { visitor }: Visit, fault: ListRefusedError | null): Promise<Answer> {
  const pipelines = visibleOf(console.parts.pipelines.names, visitor)
  const uploads = await visibleUploads(console, visitor)
  return page(
    {
      title: 'Upload',
      lead,
      body: html`${pipelines.length > 0 ? uploadForm(console, pipelines, fault) : html`<div class="card">${nothing('You have no pipeline for which you could hand in a list.')}</div>`}
${section('Your lists', uploads.length > 0 ? await uploadTable(console, uploads) : nothing('No list is waiting here.'), 'Lists that wait to be issued, and those of the last day. What nobody issues within a day is deleted.')}`,
    },
    fault?.status,
  )
}

function uploadForm({ address }: Console, pipelines: readonly string[], fault: ListRefusedError | null): Markup {
  const isOnly = pipelines.length === 1
  return html`<form method="post" action="${address.base}/upload" enctype="multipart/form-data" class="card upload">
${fault && html`<p class="fault" role="alert">${fault.message}</p>`}
<label for="pipeline">Pipeline</label>
<select id="pipeline" name="pipeline" required>${!isOnly && html`<option value="">Choose one</option>`}${pipelines.map((name) => html`<option value="${name}">${name}</option>`)}</select>
<label for="list">File</label>
<p class="note" id="list-note">CSV, XLSX, or a ZIP with a table and its images. You can also drop it on the field.</p>
<input type="file" id="list" name="list" required accept=".csv,.txt,.xlsx,.zip" aria-describedby="list-note">
<button class="primary">Upload and rehearse</button>
</form>`
}

async function uploadTable(console: Console, uploads: readonly Upload[]): Promise<Markup> {
  const { address, times } = console
  const rows = await Promise.all(
    uploads.map(async (upload) => [
      html`<a href="${address.base}/upload/${upload.id}">${upload.name}</a>`,
      upload.pipeline,
      await stateOf(console, upload),
      times.at(upload.at),
      upload.by,
      sizeWords(upload.bytes),
    ]),
  )
  return table(
    'Lists that were handed in',
    [rowName('File'), 'Pipeline', 'State', 'Uploaded', 'By', numbers('Size')],
    rows,
  )
}

async function stateOf({ parts, uploads }: Console, { id }: Upload): Promise<Markup> {
  if ((await parts.ledger.issuedLists.runOf(id)) !== null) return label('submitted', 'good')
  const rehearsal = await uploads.rehearsalOf(id)
  switch (rehearsal?.kind) {
    case 'finished':
      return label('rehearsed', 'warn')
    case 'refused':
      return label('cannot be issued', 'bad')
    case 'failed':
      return label('not rehearsed', 'bad')
    default:
      return label('being rehearsed', 'open')
  }
}

export function sizeWords(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`
  const kibibytes = bytes / 1_024
  return kibibytes < 1_024 ? `${Math.round(kibibytes)} KiB` : `${(kibibytes / 1_024).toFixed(1)} MiB`
}
