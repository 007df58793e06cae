// The tables of a run for the browser. They are made anew from the ledger, because the outbox may be on another
// machine, and so they show what is true now.

import { openTableWriter } from '#src/files/tables/table-writer.ts'
import { safeFileName } from '#src/issuing/results/outbox.ts'
import {
  invalidHeader,
  invalidLine,
  resultFormat,
  resultHeader,
  resultLine,
} from '#src/issuing/results/result-lines.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { nothing } from '../html/elements.ts'
import { html } from '../html/markup.ts'
import { makeDownload } from '../make-download.ts'
import { type Answer, type Console, note, page, type Visit } from '../visit.ts'

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const results = { name: 'results', headerOf: resultHeader, lineOf: resultLine, act: 'downloaded the results' }
const invalidRows = {
  name: 'invalid',
  headerOf: invalidHeader,
  lineOf: invalidLine,
  act: 'downloaded the invalid rows',
}

export async function downloadResults(console: Console, visit: Visit, run: Run): Promise<Answer> {
  return downloadTable(console, visit, run, results)
}

export async function downloadInvalidRows(console: Console, visit: Visit, run: Run): Promise<Answer> {
  return run.invalid === 0 ? { kind: 'missing' } : downloadTable(console, visit, run, invalidRows)
}

async function downloadTable(
  console: Console,
  visit: Visit,
  run: Run,
  { name, headerOf, lineOf, act }: typeof results,
): Promise<Answer> {
  const { parts } = console
  const { header } = run
  if (!header || run.state !== 'published') return { kind: 'missing' }
  const { format, separator } = resultFormat(run)
  const outcomes = name === 'invalid' ? (['invalid'] as const) : (['accepted', 'skipped', 'invalid'] as const)
  const file = await makeDownload(parts.settings.dataDir, format, async (path, checkRoom) => {
    const writer = await openTableWriter(path, { format, separator, header: headerOf(header), mode: 0o600 })
    try {
      await parts.ledger.writeBacks.readRows(run.id, [...outcomes], async (rows) => {
        await checkRoom()
        for (const row of rows) await writer.write(lineOf(row, header))
      })
      await writer.close()
    } finally {
      await writer.abort()
    }
  })
  if (!file) return fullDisk(run)
  try {
    // Noted now: a file that could not be made was not downloaded.
    await note(console, visit, act, { run: run.id })
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    kind: 'download',
    name: `${safeFileName(run.sourceName)}.${run.id.slice(0, 8)}.${name}.${format}`,
    type: types[format],
    content: file.createReadStream(),
  }
}

const fullDisk = ({ id }: Run): Answer =>
  page(
    {
      title: 'The file could not be made',
      back: { href: `/runs/${id}`, text: 'The run' },
      body: html`<div class="card">${nothing('There is not enough space on the disk of this machine, so the file was not made. Ask whoever runs credsync to make room, and download it again.')}</div>`,
    },
    507,
  )
