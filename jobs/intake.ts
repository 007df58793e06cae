// Intake: a source file becomes ledger rows. Everything is staged first and published at once, so a reading that dies leaves no trace.

import { openCompletions } from '#src/intake/completions-source.ts'
import { type FileContent, openFile, readSource } from '#src/intake/file-check.ts'
import { refusalOf } from '#src/intake/refusal.ts'
import { stageBehind } from '#src/intake/stage-behind.ts'
import { rulesOf } from '#src/learning/rules-of.ts'
import { isOfCompletions } from '#src/ledger/completions.ts'
import { PipelineUnknownError } from '#src/pipelines/pipelines.ts'
import { done, snooze, type Verdict } from '#src/queue/verdict.ts'
import { hashFile, SourceMissingError } from '#src/sources/hash-file.ts'
import type { SourceRow } from '#src/sources/source.ts'
import { checkSheet } from '#src/upload/check-sheet.ts'
import type { Tools } from './tools.ts'
import { tellAfterReading } from './write-back.ts'

type IntakeTools = Omit<Tools, 'inboxes' | 'archives' | 'wire' | 'tuning' | 'instance'>

/** So long, from the first look on, a run whose file or pipeline this worker does not have is left to another one; then nobody has it. */
const mayBeElsewhereMs = 10 * 60_000
const lookElsewhereMs = 5_000

export async function intake(tools: IntakeTools, { runId }: { runId: string }): Promise<Verdict> {
  // Two workers must not stage one run at once. Whoever comes second does not wait: there are other files, and a reading that dies is asked for again.
  const verdict = await tools.ledger.withLock(`intake:${runId}`, () => readRun(tools, runId), false)
  if (verdict) return verdict
  await tools.queues.ask('sweep', {})
  return done()
}

/** @returns when to come again, for a file that may be another worker's to read */
async function readRun(tools: IntakeTools, runId: string): Promise<Verdict | null> {
  const { ledger, log } = tools
  const run = await ledger.findRun(runId)
  if (run?.state !== 'received' || run.environment !== ledger.environment) return null
  try {
    await stageAndPublish(tools, run)
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    const missing = whatIsMissing(error)
    if (missing && !tools.exclusive && (await ledger.missRun(runId)) < mayBeElsewhereMs) {
      log.event('run.elsewhere', { run: runId, pipeline: run.pipeline, reason: missing })
      return snooze(lookElsewhereMs, missing)
    }
    await ledger.refuseRun(runId, refusal)
    log.event('run.refused', { run: runId, pipeline: run.pipeline, error: (error as Error).name })
  }
  return null
}

/** What another worker may have: one on another machine, or with a newer configuration. */
function whatIsMissing(error: unknown): string | null {
  if (error instanceof SourceMissingError) return 'file-not-here'
  return error instanceof PipelineUnknownError ? 'pipeline-not-here' : null
}

async function stageAndPublish(
  tools: IntakeTools,
  run: NonNullable<Awaited<ReturnType<Tools['ledger']['findRun']>>>,
): Promise<void> {
  const { ledger, issuer, courses, log } = tools
  const pipeline = tools.pipelines.named(run.pipeline)
  const courseUuid = await courses.uuidOf(pipeline)
  const fields = await issuer.fieldList(courseUuid)
  const inLedger = isOfCompletions(run.sourcePath)
  const asHandedOver = async () => inLedger || (await hashFile.expect(run.sourcePath, run.sourceSha256))
  await asHandedOver()
  await ledger.foundRun(run.id)

  const input = {
    pipeline,
    course: courseUuid,
    fields,
    hasher: ledger.hasher,
    fitsSheet: (content: FileContent) => checkSheet(tools.uploads, pipeline.batch, courseUuid, content),
  }
  const open = () =>
    inLedger
      ? openCompletions(ledger.completions, run, tools.learning.titlesOf(run.sourceName))
      : openFile(run.sourcePath, pipeline.file)
  const { result, notices, ...read } = await readSource(open, input, async (source, check) => {
    await ledger.clearStaged(run.id)
    const checked = (batch: SourceRow[]) => batch.map(check.row)
    return stageBehind(source.batches(), checked, (rows) => ledger.stageRows(run.id, rows, check.readImage))
  })

  // What was read is what was handed over, also when somebody wrote to the file meanwhile.
  await asHandedOver()
  const { format, separator, header, nameFields, primaryVaries, identified, imageColumn } = read
  const of = { courseUuid, format, separator, header, notices, nameFields, primaryVaries, identified, imageColumn }
  const rules = inLedger ? rulesOf(pipeline, fields, tools.learning.door(run.sourceName)) : undefined
  const publication = { ...of, rules, brake: pipeline.brake }
  await ledger.publishRun(run.id, publication, result)
  await tellAfterReading(tools, run.id)
  const published = await ledger.findRun(run.id)
  if (published?.state === 'braked') {
    log.event('run.braked', { run: run.id, pipeline: run.pipeline, accepted: published.brake?.accepted ?? 0 })
    return
  }
  log.event('run.published', {
    run: run.id,
    pipeline: run.pipeline,
    rows: published?.rows ?? 0,
    invalid: published?.invalid ?? 0,
    skipped: published?.skipped ?? 0,
    accepted: published?.accepted ?? 0,
  })
}
