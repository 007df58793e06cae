// The step of an erasure after its rows have been emptied: the files that show its people are written again without
// them, and their archived certificates are removed. Can be repeated at any moment; what is permanently missing counts
// as done.

import { basename, dirname } from 'node:path'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { withWriteLock } from '#jobs/write-back.ts'
import { invalidTable, resultsTable, tableOptions, writePeople, writeTable } from '#jobs/write-table.ts'
import { InboxError } from '#src/files/inbox/inbox-error.ts'
import { TableWriteError } from '#src/files/tables/table-writer.ts'
import { reportName } from '#src/issuing/results/outbox.ts'
import { summaryText } from '#src/issuing/results/summary-text.ts'
import {
  FolderMissingError,
  foldersOf,
  openWrittenFiles,
  type WrittenFiles,
} from '#src/issuing/results/written-files.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { type FileTime, removeErasedCertificates, withinFileTime } from './remove-archived-certificates.ts'

type FileTools = Pick<ExtensionTools, 'ledger' | 'outbox' | 'clock' | 'archives'>

/**
 * @param time what is not written or removed within it is left to the next call
 * @returns what it waits for, in sentences that name no person; null if nothing is left to do
 */
export async function removeFiles(
  tools: FileTools,
  erasureId: string,
  time: FileTime = { leftMs: Number.POSITIVE_INFINITY },
): Promise<string | null> {
  const { ledger, clock } = tools
  await ledger.erasures.listRuns(erasureId)
  const problems: string[] = []
  // Each missing folder is looked for once, so that many runs in it do not use up the time for all others, sweep after
  // sweep.
  const missing = new Map<string, Error>()
  let isDone = true
  for (const { run, file } of await ledger.erasures.runsToClean(erasureId)) {
    const known = file === null ? undefined : missing.get(dirname(file))
    if (known) {
      problems.push(problemOf(run, known))
      continue
    }
    if (time.leftMs <= 0) {
      isDone = false
      break
    }
    try {
      isDone = (await withinFileTime(clock, time, () => cleanRunFiles(tools, run))) && isDone
    } catch (error) {
      if (!isFolderFault(error)) throw error
      if (error instanceof FolderMissingError) missing.set(error.folder, error)
      problems.push(problemOf(run, error))
    }
  }
  if (!isDone) problems.push('The files of its lists are being written again.')
  problems.push(...(await removeErasedCertificates(tools, erasureId, time)))
  const [first, ...others] = problems
  if (first === undefined) return null
  return others.length === 0 ? first : `${first} And ${others.length} more.`
}

const problemOf = (run: string, { message }: Error) => `The files of run ${run}: ${message}`

function isFolderFault(error: unknown): error is Error {
  return error instanceof FolderMissingError || error instanceof InboxError || error instanceof TableWriteError
}

/**
 * Writes the files of a run again without the people who were forgotten: results, invalid rows, the summary, and the
 * list of people in a braked run. A file that its reader took away is not written again.
 * @returns false if somebody else is writing the files of the run now
 * @throws FolderMissingError if the folder of the files is missing; nothing is recorded then, so this can be repeated
 */
async function cleanRunFiles(tools: FileTools, runId: string): Promise<boolean> {
  const { ledger } = tools
  const work = async () => {
    const { erasures, invalidRows } = await ledger.erasures.filesOf(runId)
    const run = await ledger.runs.find(runId)
    if (erasures.length === 0 || !run) return
    for (const folder of await foldersToClean(tools, run)) {
      await using files = await openWrittenFiles(folder)
      await rewriteTables(tools, run, files, invalidRows)
      await rewriteSummary(tools, run, files)
      await rewriteHeldPeople(tools, run, files)
    }
    await ledger.erasures.noteCleaned(runId, erasures)
  }
  return await withWriteLock(tools, runId, work, false)
}

/** The folders in which the ledger has recorded files; for a run of completions that was braked, its outbox as well. */
async function foldersToClean({ outbox }: FileTools, run: Run): Promise<string[]> {
  const recorded = foldersOf([run.resultsPath, run.invalidPath])
  if (recorded.length > 0 || !isCompletionsPath(run.sourcePath) || !run.brake) return recorded
  return [await outbox.pathFor(run)]
}

async function rewriteTables({ ledger }: FileTools, run: Run, files: WrittenFiles, invalidRows: boolean) {
  const tables = [
    { table: resultsTable, path: run.resultsPath },
    // A file without forgotten rows stays as it is: somebody may be fixing its rows.
    { table: invalidTable, path: invalidRows ? run.invalidPath : null },
  ]
  for (const { table, path } of tables) {
    if (path === null || !run.header) continue
    const writer = await files.rewrite(basename(path), tableOptions(table, run, run.header))
    if (writer) await writeTable(ledger, run, table, writer)
  }
}

/** The summary has masked examples of what is wrong with invalid rows. */
async function rewriteSummary({ ledger, clock }: FileTools, run: Run, files: WrittenFiles): Promise<void> {
  const found = await ledger.runs.withStates(run.id)
  if (!found) return
  const problems = run.invalid > 0 ? await ledger.violations.byKind(run.id) : []
  await files.replaceText(reportName(run, 'summary.txt'), summaryText({ ...found, problems }, clock.now()))
}

/** The list of people is needed only while the run waits for a decision. */
async function rewriteHeldPeople({ ledger }: FileTools, run: Run, files: WrittenFiles): Promise<void> {
  const name = reportName(run, 'waiting.csv')
  if (!isCompletionsPath(run.sourcePath)) return
  if (run.state !== 'braked') return void (await files.remove(name))
  const people = await ledger.elsewhere.held(run.id)
  await writePeople(people, (header) => files.rewrite(name, { format: 'csv', header }))
}
