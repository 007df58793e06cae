// credsync issue FILE --dry-run: everything is read and checked; nothing changes at the service, and no row of the ledger.

import { basename } from 'node:path'
import type { App } from '#src/app.ts'
import { type FileContent, openFile, readSource } from '#src/intake/file-check.ts'
import { rehearseRows } from '#src/intake/rehearsal.ts'
import { knownOtherwise } from '#src/ledger/refuse-other-identity.ts'
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
  const input = {
    pipeline,
    course,
    fields,
    hasher: ledger.hasher,
    fitsSheet: (content: FileContent) => checkSheet(app.uploads, pipeline.batch, course, content),
  }
  const { result, notices } = await readSource(
    () => openFile(path, input.pipeline.file),
    input,
    async (source, check) => {
      const { nameFields, primaryVaries, identified } = check
      const known = primaryVaries && (await ledger.knownPeople(course, { nameFields, ...primaryVaries }))
      return rehearseRows(source.batches(), { ...check, known }, async (rows) => {
        const standings = await ledger.compareRows(course, rows)
        const of = { environment: ledger.environment, course, rule: { nameFields, ...identified } }
        const otherwise = await knownOtherwise(app.database, of, rows)
        return standings.map((standing, at) => (standing === 'unknown' && otherwise[at] ? 'person twice' : standing))
      })
    },
  )
  return rehearsalDocument(result, {
    pipeline: name,
    source: basename(path),
    notices,
    batchSize: Math.min(pipeline.batch.size, (await ledger.learnedBatchLimit(name)) ?? pipeline.batch.size),
    needsCanary: await ledger.needsCanary(course),
    callsASecond: app.settings.file.service.limits.general,
    brake: pipeline.brake,
    recentSizes: await ledger.recentSizes(name),
  })
}
