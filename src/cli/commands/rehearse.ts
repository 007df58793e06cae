// credsync issue FILE --dry-run: everything is read and checked; nothing changes at the service, and no row of the ledger.

import { basename } from 'node:path'
import type { App } from '#src/app.ts'
import { openImageCheck } from '#src/intake/images.ts'
import { publicationNotices } from '#src/intake/refusal.ts'
import { refuseMerged } from '#src/intake/refuse-merged.ts'
import { type RehearsalCheck, rehearseRows } from '#src/intake/rehearsal.ts'
import { openRowCheck } from '#src/intake/row-check.ts'
import { openSource } from '#src/sources/open-source.ts'
import { checkSheet } from '#src/upload/check-sheet.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type RehearsalDocument, rehearsalDocument } from '../rehearsal-document.ts'
import { rehearsalLines } from '../rehearsal-lines.ts'
import { answerJson, type Cli, say } from '../surroundings.ts'

export async function rehearse(
  cli: Cli,
  app: App,
  path: string,
  options: { pipeline: string; json?: boolean },
): Promise<ExitCode> {
  const document = await readAll(app, path, options.pipeline)
  if (options.json) answerJson(cli, document)
  for (const line of rehearsalLines(document)) say(cli, line)
  return document.invalid > 0 || document.brake ? exitCode.needsPerson : exitCode.ok
}

async function readAll(app: App, path: string, name: string): Promise<RehearsalDocument> {
  const { ledger } = app
  const pipeline = app.pipelines.named(name)
  const course = await app.courses.uuidOf(pipeline)
  const fields = await app.issuer.fieldList(course)
  await using source = await openSource(path, pipeline.file)
  const { header, format } = source
  const check = openRowCheck({ pipeline, fields, header, format, course, hasher: ledger.hasher })
  const images = openImageCheck(pipeline.batch, source)
  const content = { fields: check.plan.map(({ field }) => field.displayName), images: images.travels }
  const sheetNotices = await checkSheet(app.uploads, pipeline.batch, course, content)
  const whole: RehearsalCheck = {
    ...check,
    row: (row) => images.row(row, check.row(row)),
    readImage: images.read,
  }
  const rehearsal = await rehearseRows(source.batches(), whole, (rows) => ledger.compareRows(course, rows))
  refuseMerged(source, check.plan)
  return rehearsalDocument(rehearsal, {
    pipeline: name,
    source: basename(path),
    // Some come with the last batch.
    notices: [...publicationNotices(source, check), ...sheetNotices, ...images.notices()],
    batchSize: Math.min(pipeline.batch.size, (await ledger.learnedBatchLimit(name)) ?? pipeline.batch.size),
    needsCanary: await ledger.needsCanary(course),
    callsASecond: app.settings.file.service.limits.general,
    brake: pipeline.brake,
    recentSizes: await ledger.recentSizes(name),
  })
}
