// The files of a run for the browser. They are made anew from the ledger, because the outbox may be on another machine,
// and so they show what is true now.

import { openTableWriter } from '#src/files/tables/table-writer.ts'
import { safeFileName } from '#src/issuing/results/outbox.ts'
import {
  invalidHeader,
  invalidLine,
  resultFormat,
  resultHeader,
  resultLine,
} from '#src/issuing/results/result-lines.ts'
import { summaryText } from '#src/issuing/results/summary-text.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { nothing } from '../html/elements.ts'
import { html } from '../html/markup.ts'
import { makeDownload } from '../make-download.ts'
import { visibleRun } from '../visible-run.ts'
import { type Answer, type Console, page, type Visit } from '../visit.ts'

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export const downloadResults = (console: Console, visit: Visit): Promise<Answer> =>
  downloadTable(console, visit, {
    kind: 'results',
    outcomes: ['accepted', 'skipped', 'invalid'],
    headerOf: resultHeader,
    lineOf: resultLine,
  })

export const downloadInvalidRows = (console: Console, visit: Visit): Promise<Answer> =>
  downloadTable(console, visit, {
    kind: 'invalid',
    outcomes: ['invalid'],
    headerOf: invalidHeader,
    lineOf: invalidLine,
  })

interface TableKind {
  kind: 'results' | 'invalid'
  outcomes: ('accepted' | 'skipped' | 'invalid')[]
  headerOf: typeof resultHeader
  lineOf: typeof resultLine
}

async function downloadTable(console: Console, visit: Visit, table: TableKind): Promise<Answer> {
  const run = await visibleRun(console, visit)
  if (!run?.header || run.state !== 'published' || (table.kind === 'invalid' && run.invalid === 0))
    return { kind: 'missing' }
  const { parts } = console
  const { header } = run
  const { format, separator } = resultFormat(run)
  const file = await makeDownload(parts.settings.dataDir, format, async (path, checkRoom) => {
    const writer = await openTableWriter(path, { format, separator, header: table.headerOf(header), mode: 0o600 })
    try {
      await parts.ledger.writeBacks.readRows(run.id, table.outcomes, async (rows) => {
        await checkRoom()
        for (const row of rows) await writer.write(table.lineOf(row, header))
      })
      await writer.close()
    } finally {
      await writer.abort()
    }
  })
  if (!file) return fullDisk(run)
  try {
    // Noted now: a file that could not be made was not downloaded.
    await noteDownload(console, visit, run, table.kind)
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    kind: 'download',
    name: nameOf(run, `${table.kind}.${format}`),
    type: types[format],
    content: file.createReadStream(),
  }
}

function noteDownload({ parts }: Console, { visitor }: Visit, run: Run, kind: string): Promise<number> {
  const act = kind === 'invalid' ? 'downloaded the invalid rows' : `downloaded the ${kind}`
  return parts.ledger.consoleActs.note({ by: visitor.name, act, run: run.id }, parts.clock.now())
}

const fullDisk = ({ id }: Run): Answer =>
  page(
    {
      title: 'The file cannot be made just now',
      back: { href: `/runs/${id}`, text: 'The run' },
      body: html`<div class="card">${nothing('There is not enough space on the disk of this machine, so the file was not made. Ask whoever runs credsync to make room, and download it again.')}</div>`,
    },
    507,
  )

const nameOf = (run: Pick<Run, 'id' | 'sourceName'>, suffix: string) =>
  `${safeFileName(run.sourceName)}.${run.id.slice(0, 8)}.${suffix}`
