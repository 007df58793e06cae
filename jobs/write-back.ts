// Write back: what became of each row is told to where it came from. For a file that is a results file in the outbox.

import { isOfCompletions } from '#src/ledger/completions.ts'
import type { Run } from '#src/ledger/runs.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import { invalidHeader, invalidLine, resultHeader, resultLine } from '#src/write-back/lines.ts'
import { resultFormat } from '#src/write-back/result-format.ts'
import { summaryText } from '#src/write-back/summary-text.ts'
import type { Tools } from './tools.ts'

type TellTools = Pick<Tools, 'ledger' | 'outbox' | 'clock'>
type WriteBackTools = TellTools & Pick<Tools, 'log' | 'learning' | 'queues'>

export async function writeBack(tools: WriteBackTools, { runId }: { runId: string }): Promise<Verdict> {
  await alone(tools, runId, async () => {
    const version = await tools.ledger.wantedVersion(runId)
    if (version === null) return
    await wantTold(tools, runId)
    await writeMissingInvalidRows(tools, runId)
    await writeResults(tools, runId)
    await summarize(tools, runId)
    await tools.ledger.noteTold(runId, version)
  })
  return done()
}

/** A job may be delivered twice, and intake writes as well: one writer to a file at a time. */
async function alone({ ledger }: Pick<Tools, 'ledger'>, runId: string, work: () => Promise<void>): Promise<void> {
  await ledger.withLock(`write-back:${runId}`, work)
}

/** What learning systems are to be told of the run, noted; telling them is work of its own, which may fail by itself. */
async function wantTold({ ledger, learning, queues }: WriteBackTools, runId: string): Promise<void> {
  const run = await ledger.findRun(runId)
  const targets = run ? learning.targetsOf(run.pipeline) : []
  if (!run || targets.length === 0) return
  await ledger.tells.want(runId, targets)
  await queues.ask('learning', { tell: run.pipeline })
}

/** Every row of the source, in its order, with what became of it. Keyed by the ledger's rows, never by position in an answer. */
async function writeResults(tools: WriteBackTools, runId: string): Promise<void> {
  const run = await tools.ledger.findRun(runId)
  if (run?.state !== 'published' || isOfCompletions(run.sourcePath)) return
  await writeRows(tools, run, 'results', ['accepted', 'skipped', 'invalid'], [resultHeader, resultLine])
  tools.log.event('results.written', { run: runId, rows: run.rows })
}

/** What is known as soon as a file was read: the rows that were not taken, ready to be mended and issued again, and the summary. */
export async function tellAfterReading(tools: TellTools, runId: string): Promise<void> {
  await alone(tools, runId, async () => {
    await writeMissingInvalidRows(tools, runId)
    await summarize(tools, runId)
  })
}

/** A page about the run as it stands, also about one that waits for a decision or was refused after one. */
export async function writeSummary(tools: TellTools, runId: string): Promise<void> {
  await alone(tools, runId, () => summarize(tools, runId))
}

async function summarize({ ledger, outbox, clock }: TellTools, runId: string): Promise<void> {
  const found = await ledger.runWithStates(runId)
  if (!found || isQuiet(found.run)) return
  const problems = found.run.invalid > 0 ? await ledger.problemsOf(runId) : []
  await outbox.summarize(found.run, summaryText({ ...found, problems }, clock.now()))
}

/**
 * Completions come one by one, and nobody sent a file whose results they wait for: the learning system is told. Of those where somebody was not
 * taken, or where a person decides, there is a page.
 */
function isQuiet({ sourcePath, state, invalid }: Run): boolean {
  return isOfCompletions(sourcePath) && state === 'published' && invalid === 0
}

async function writeMissingInvalidRows(tools: TellTools, runId: string): Promise<void> {
  const run = await tools.ledger.findRun(runId)
  // Intake writes it; a kill or a full disk may have come between, and then the next telling does.
  if (run && run.invalid > 0 && run.invalidPath === null)
    await writeRows(tools, run, 'invalid', ['invalid'], [invalidHeader, invalidLine])
}

/** One file of the outbox, whole or not at all, noted in the ledger. A run without a header was never read, and has no rows. */
async function writeRows(
  { ledger, outbox }: TellTools,
  run: Run,
  kind: 'results' | 'invalid',
  outcomes: ('accepted' | 'skipped' | 'invalid')[],
  [headerOf, lineOf]: readonly [typeof resultHeader, typeof resultLine],
): Promise<void> {
  if (!run.header) return
  const writer = await outbox.open(run, { kind, ...resultFormat(run), header: headerOf(run.header) })
  const { header } = run
  try {
    await ledger.readResultRows(run.id, outcomes, async (rows) => {
      for (const row of rows) await writer.write(lineOf(row, header))
    })
    await writer.close()
  } catch (error) {
    await writer.abort()
    throw error
  }
  await ledger.noteRunPaths(run.id, { [kind]: writer.path })
}
