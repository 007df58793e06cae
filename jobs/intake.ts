// Intake: turns a source file into ledger rows. All rows are staged first and then published in one transaction, so a
// reading that crashes publishes nothing.

import { expectHash, openSubmittedFile, SourceMissingError } from '#src/files/tables/hash-file.ts'
import type { SourceRow } from '#src/files/tables/source.ts'
import { openFile, readSource } from '#src/issuing/intake/file-check.ts'
import { refusalOf } from '#src/issuing/intake/refusing-errors.ts'
import { stageInBackground } from '#src/issuing/intake/stage-in-background.ts'
import { PipelineUnknownError } from '#src/issuing/pipelines/pipelines.ts'
import { checkSheet, type FilledSheet } from '#src/issuing/upload/check-sheet.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { done, snooze, type Verdict } from '#src/platform/queue/verdict.ts'
import type { Tools } from './job-tools.ts'
import { FirstListWaitsError, publishWithReport, waitForReport } from './publish-first-list.ts'
import { reportAfterReading } from './write-back.ts'

type IntakeTools = Omit<Tools, 'inboxes' | 'instance'> & { onPublished?(): Promise<unknown> }

/** How long a run whose file or pipeline this worker lacks is left to other workers before it is refused. */
const leftToOthersMs = 10 * 60_000
const retryElsewhereMs = 5_000

export async function intake(tools: IntakeTools, { runId }: { runId: string }): Promise<Verdict> {
  // Two workers must not stage one run at the same time. The second worker does not wait for the lock: it may have
  // other files to read, and the sweep queues a crashed reading again.
  const verdict = await tools.ledger.locks.withLock(`intake:${runId}`, () => readRun(tools, runId), false)
  if (verdict) return verdict
  await tools.queues.enqueue('sweep', {})
  return done()
}

/** @returns a verdict to try again if the report cannot be read yet, or another worker may have what this one lacks */
async function readRun(tools: IntakeTools, runId: string): Promise<Verdict | null> {
  const { ledger, log } = tools
  const run = await ledger.runs.find(runId)
  if (run?.state !== 'received' || run.environment !== ledger.environment) return null
  try {
    await stageAndPublish(tools, run)
  } catch (error) {
    if (error instanceof FirstListWaitsError) return await waitForReport(tools, run, error)
    const refusal = refusalOf(error)
    if (!refusal) throw error
    const lacking = whatThisWorkerLacks(error)
    if (lacking && !tools.exclusive && (await ledger.runs.noteUnreadable(runId)) < leftToOthersMs) {
      log.event('run.elsewhere', { run: runId, pipeline: run.pipeline, reason: lacking })
      return snooze(retryElsewhereMs, lacking)
    }
    await ledger.runs.refuse(runId, refusal)
    log.event('run.refused', { run: runId, pipeline: run.pipeline, error: (error as Error).name })
  }
  return null
}

/** Names what this worker lacks, but a worker on another machine or with a newer configuration may have. */
function whatThisWorkerLacks(error: unknown): string | null {
  if (error instanceof SourceMissingError) return 'file-not-here'
  return error instanceof PipelineUnknownError ? 'pipeline-not-here' : null
}

async function stageAndPublish(tools: IntakeTools, run: Run): Promise<void> {
  const { ledger, issuer, courses, log } = tools
  const pipeline = tools.pipelines.named(run.pipeline)
  const courseUuid = await courses.uuidOf(pipeline)
  const fields = await issuer.fieldList(courseUuid)
  const otherRows = tools.rowsOf(run)
  await using file = otherRows ? null : await openSubmittedFile(run.sourcePath)
  const checkUnchanged = async () => file && (await expectHash(file, run.sourceSha256))
  await checkUnchanged()
  await ledger.runs.noteReadable(run.id)

  const input = {
    pipeline,
    course: courseUuid,
    fields,
    hasher: ledger.hasher,
    now: tools.clock.now(),
    checkUploadSheet: (content: FilledSheet) => checkSheet(tools.uploads, pipeline.batch, courseUuid, content),
  }
  const open = () => (otherRows ? otherRows.open() : openFile(file ?? run.sourcePath, pipeline.file))
  const { result, notices, ...read } = await readSource(open, input, async (source, check) => {
    await ledger.intake.clear(run.id)
    const checked = (batch: SourceRow[]) => batch.map(check.row)
    return stageInBackground(source.batches(), checked, (rows) => ledger.intake.stage(run.id, rows, check.readImage))
  })

  // Checked again, because a program may have written to the file while it was being read.
  await checkUnchanged()
  const { format, separator, header, nameFields, primaryVaries, identified, imageColumn } = read
  const about = { courseUuid, format, separator, header, notices, nameFields, primaryVaries, identified, imageColumn }
  const rulesHash = otherRows?.rulesHash(pipeline, fields)
  const facts = { ...about, rulesHash, brake: pipeline.brake }
  const list = { runId: run.id, course: courseUuid, pipeline, fields }
  await publishWithReport(tools, list, (firstList) => ledger.intake.publish(run.id, { ...facts, firstList }, result))
  await tools.onPublished?.()
  await reportAfterReading(tools, run.id)
  const published = await ledger.runs.find(run.id)
  const logFields = { run: run.id, pipeline: run.pipeline }
  if (published?.state === 'braked')
    return log.event('run.braked', { ...logFields, accepted: published.brake?.accepted ?? 0 })
  const { rows: taken = 0, invalid = 0, skipped = 0, accepted = 0 } = published ?? {}
  log.event('run.published', { ...logFields, rows: taken, invalid, skipped, accepted })
}
