// credsync issue FILE --dry-run: reads and checks everything, but changes nothing in the service and no rows in the
// ledger.

import { basename } from 'node:path'
import type { App } from '#src/app/app.ts'
import { dryRunRows } from '#src/issuing/intake/dry-run.ts'
import { type FileContent, openFile, readSource } from '#src/issuing/intake/file-check.ts'
import { PeopleSample } from '#src/issuing/intake/people-sample.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import { checkFirstList, type FirstListQuestion, maxPeopleSearched } from '#src/issuing/reconcile/check-first-list.ts'
import { checkSheet } from '#src/issuing/upload/check-sheet.ts'
import { findForgotten, hasForgotten } from '#src/ledger/runs/find-forgotten.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { knownByOtherIdentity } from '#src/ledger/runs/refuse-other-identity.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { type Cli, printJson, say } from '../cli-context.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type DryRunDocument, dryRunDocument } from '../text/dry-run-document.ts'
import { dryRunLines } from '../text/dry-run-lines.ts'
import { indentedLine } from '../text/terminal-text.ts'

export async function dryRunIssue(
  cli: Cli,
  app: App,
  path: string,
  options: { pipeline: string; json?: boolean },
): Promise<ExitCode> {
  const document = await readAll(app, path, options.pipeline)
  if (options.json) printJson(cli, document)
  for (const line of dryRunLines(document)) say(cli, indentedLine(line))
  return document.invalid > 0 || document.brake || document.reportShows ? exitCode.needsPerson : exitCode.ok
}

async function readAll(app: App, path: string, name: string): Promise<DryRunDocument> {
  const { ledger } = app
  const pipeline = app.pipelines.named(name)
  const course = await app.courses.uuidOf(pipeline)
  const fields = await app.issuer.fieldList(course)
  const input = {
    pipeline,
    course,
    fields,
    hasher: ledger.hasher,
    checkUploadSheet: (content: FileContent) => checkSheet(app.uploads, pipeline.batch, course, content),
  }
  let sample = new PeopleSample(maxPeopleSearched)
  const { result, notices } = await readSource(
    () => openFile(path, input.pipeline.file),
    input,
    async (source, check) => {
      sample = new PeopleSample(maxPeopleSearched)
      const { nameFields, primaryVaries, identified } = check
      const known = primaryVaries && (await ledger.knownRows.people(course, { nameFields, ...primaryVaries }))
      const scope = { environment: ledger.environment, course, rule: { nameFields, ...identified } }
      const recognize = (await hasForgotten(app.database, scope))
        ? (rows: readonly StagedRow[]) => findForgotten(app.database, { ...scope, hasher: ledger.hasher }, rows)
        : null
      return dryRunRows(source.batches(), { ...check, known, recognize }, async (rows) => {
        const statuses = await ledger.knownRows.compare(course, rows)
        const knownElsewhere = await knownByOtherIdentity(app.database, scope, rows)
        return statuses.map((status, index) => {
          if (status === 'unknown' && knownElsewhere[index]) return 'person twice'
          const row = rows[index]
          if (status === 'unknown' && row) sample.add(row)
          return status
        })
      })
    },
  )
  const firstList = await dryRunFirstList(app, {
    course,
    people: sample.recipients(),
    correlation: identityRuleOf(pipeline, fields).rule.correlation,
  })
  return dryRunDocument(result, {
    pipeline: name,
    source: basename(path),
    notices: [...notices, ...firstList.notices],
    batchSize: Math.min(pipeline.batch.size, (await ledger.courses.learnedBatchLimit(name)) ?? pipeline.batch.size),
    needsCanary: await ledger.courses.needsCanary(course),
    callsPerSecond: app.settings.file.service.limits.general,
    brake: pipeline.brake,
    recentSizes: await ledger.brake.recentSizes(name),
    issuedToday: await ledger.brake.issuedToday(name),
    reportShows: firstList.shows,
  })
}

/**
 * Returns what the report shows about the people of a first list. Nothing is stored, because the list is checked again
 * when it is issued.
 */
async function dryRunFirstList({ issuer, ledger, tuning }: App, question: FirstListQuestion) {
  if (question.people.length === 0) return { shows: null, notices: [] }
  try {
    return { shows: await checkFirstList({ issuer, ledger, pageSize: tuning.pageSize }, question), notices: [] }
  } catch (error) {
    const why = `The report could not be checked for this course. Its first list waits until that is possible: ${safeMessage(error)}`
    return { shows: null, notices: [why] }
  }
}
