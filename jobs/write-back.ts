// Write back: reports the outcome of each row, in a results file in the outbox and to the pipeline's targets.

import { summaryText } from '#src/issuing/results/summary-text.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import type { Tools } from './job-tools.ts'
import { invalidTable, type RunTable, resultsTable, tableOptions, writeHeldPeople, writeTable } from './write-table.ts'

type SummaryTools = Pick<Tools, 'ledger' | 'outbox' | 'clock'>
type ReportTools = SummaryTools & Pick<Tools, 'rowsOf'>
type WriteBackTools = ReportTools & Pick<Tools, 'log' | 'outcomeTargets'>

export async function writeBack(tools: WriteBackTools, { runId }: { runId: string }): Promise<Verdict> {
  await withWriteLock(tools, runId, async () => {
    const version = await tools.ledger.writeBacks.wantedVersion(runId)
    if (version === null) return
    await requestDeliveries(tools, runId)
    await writeMissingInvalidRows(tools, runId)
    await writeResults(tools, runId)
    await summarize(tools, runId)
    await tools.ledger.writeBacks.noteReported(runId, version)
  })
  return done()
}

/**
 * Allows one writer per run at a time: a job may run twice, and intake writes the same files.
 * @returns false if another one is writing, and it was not to be waited for
 */
export async function withWriteLock(
  { ledger }: Pick<Tools, 'ledger'>,
  runId: string,
  work: () => Promise<void>,
  waits = true,
): Promise<boolean> {
  const writeAll = async () => {
    await work()
    return true
  }
  return (await ledger.locks.withLock(`write-back:${runId}`, writeAll, waits)) ?? false
}

async function requestDeliveries({ ledger, outcomeTargets }: WriteBackTools, runId: string): Promise<void> {
  const run = await ledger.runs.find(runId)
  if (run) await outcomeTargets.request(run)
}

/** Writes every row of the source, in order, with its outcome. Rows are matched by ledger key, never by position. */
async function writeResults(tools: WriteBackTools, runId: string): Promise<void> {
  const run = await tools.ledger.runs.find(runId)
  if (run?.state !== 'published' || isCompletionsPath(run.sourcePath)) return
  await writeRows(tools, run, resultsTable)
  tools.log.event('results.written', { run: runId, rows: run.rows })
}

/** Writes what is known once a source has been read: the invalid rows, ready to be fixed, and the summary. */
export async function reportAfterReading(tools: ReportTools, runId: string): Promise<void> {
  await withWriteLock(tools, runId, async () => {
    await writeMissingInvalidRows(tools, runId)
    await writeHeldPeople(tools, runId)
    await summarize(tools, runId)
  })
}

/** Writes the summary page of a run in its current state, even while it waits for a decision or was refused. */
export async function writeSummary(tools: SummaryTools, runId: string): Promise<void> {
  await withWriteLock(tools, runId, () => summarize(tools, runId))
}

async function summarize({ ledger, outbox, clock }: SummaryTools, runId: string): Promise<void> {
  const found = await ledger.runs.withStates(runId)
  if (!found || needsNoSummary(found.run)) return
  const problems = found.run.invalid > 0 ? await ledger.violations.byKind(runId) : []
  await outbox.summarize(found.run, summaryText({ ...found, problems }, clock.now()))
}

/** A run of completions needs a summary page only if a row was invalid or an operator must decide. */
function needsNoSummary({ sourcePath, state, invalid }: Run): boolean {
  return isCompletionsPath(sourcePath) && state === 'published' && invalid === 0
}

async function writeMissingInvalidRows(tools: ReportTools, runId: string): Promise<void> {
  const run = await tools.ledger.runs.find(runId)
  // Usually intake has already written the file. If the process was killed or the disk was full, it is written here.
  if (run && run.invalid > 0 && run.invalidPath === null) await writeRows(tools, run, invalidTable)
}

/**
 * Writes one file of the outbox and records it in the ledger. A run without a header was never read and has no rows.
 */
async function writeRows({ ledger, outbox }: ReportTools, run: Run, table: RunTable): Promise<void> {
  if (!run.header) return
  const writer = await outbox.open(run, { kind: table.kind, ...tableOptions(table, run, run.header) })
  await writeTable(ledger, run, table, writer)
  await ledger.runs.notePaths(run.id, { [table.kind]: writer.path })
}
