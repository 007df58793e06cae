// The files of a run for the browser. They are made anew from the ledger, because the outbox may be on another machine,
// and so they show what is true now. Writes a temporary file that is gone once it was sent.

import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolders } from '#src/files/tables/make-folders.ts'
import { openTableWriter } from '#src/files/tables/table-writer.ts'
import { safeFileName } from '#src/issuing/results/outbox.ts'
import { resultFormat } from '#src/issuing/results/result-format.ts'
import { invalidHeader, invalidLine, resultHeader, resultLine } from '#src/issuing/results/result-lines.ts'
import { summaryText } from '#src/issuing/results/summary-text.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { visibleRun } from '../visible-run.ts'
import type { Answer, Console, Visit } from '../visit.ts'

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
  await noteDownload(console, visit, run, table.kind)
  const { format, separator } = resultFormat(run)
  const folder = join(console.parts.settings.dataDir, 'console')
  await makeFolders(folder, 0o700)
  const path = join(folder, `${randomUUID()}.${format}`)
  const writer = await openTableWriter(path, { format, separator, header: table.headerOf(run.header), mode: 0o600 })
  const { header } = run
  try {
    await console.parts.ledger.writeBacks.readRows(run.id, table.outcomes, async (rows) => {
      for (const row of rows) await writer.write(table.lineOf(row, header))
    })
    await writer.close()
  } finally {
    await writer.abort()
  }
  const file = await open(path)
  // Removed before it is sent: the open file stays readable, and nothing is left behind however the sending ends.
  await rm(path, { force: true })
  return {
    kind: 'download',
    name: nameOf(run, `${table.kind}.${format}`),
    type: types[format],
    content: file.createReadStream(),
  }
}

export async function downloadSummary(console: Console, visit: Visit): Promise<Answer> {
  const { ledger, clock } = console.parts
  const run = await visibleRun(console, visit)
  const found = run && (await ledger.runs.withStates(run.id))
  if (!found) return { kind: 'missing' }
  await noteDownload(console, visit, run, 'summary')
  const problems = run.invalid > 0 ? await ledger.violations.byKind(run.id) : []
  const content = summaryText({ ...found, problems }, clock.now())
  return { kind: 'download', name: nameOf(run, 'summary.txt'), type: 'text/plain; charset=utf-8', content }
}

function noteDownload({ parts }: Console, { visitor }: Visit, run: Run, kind: string): Promise<number> {
  const act = kind === 'invalid' ? 'downloaded the invalid rows' : `downloaded the ${kind}`
  return parts.ledger.consoleActs.note({ by: visitor.name, act, run: run.id }, parts.clock.now())
}

const nameOf = (run: Pick<Run, 'id' | 'sourceName'>, suffix: string) =>
  `${safeFileName(run.sourceName)}.${run.id.slice(0, 8)}.${suffix}`
