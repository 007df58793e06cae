// Performs the dry run of a whole file for a pipeline: determines what issuing it would do, whether the brake would
// stop it, how many calls it would take and, before a first list, what the report shows about a sample of its people.
// Reads the file, the ledger and the service; changes nothing.

import { basename } from 'node:path'
import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import type { SourceRow } from '#src/files/tables/source.ts'
import type { OpenFile } from '#src/files/tables/source-file.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import type { CourseCache } from '#src/issuing/pipelines/course-cache.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import type { Pipelines } from '#src/issuing/pipelines/pipelines.ts'
import { checkFirstList, type FirstListQuestion, maxPeopleSearched } from '#src/issuing/reconcile/check-first-list.ts'
import { checkSheet, type FilledSheet } from '#src/issuing/upload/check-sheet.ts'
import type { SheetLayoutCache } from '#src/issuing/upload/sheet-layout-cache.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { knownByOtherIdentity } from '#src/ledger/runs/refuse-other-identity.ts'
import { findForgotten, hasForgotten } from '#src/ledger/runs/skip-forgotten.ts'
import type { Database } from '#src/platform/database/database.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type DryRunDocument, dryRunDocument } from './dry-run-document.ts'
import { type DryRun, dryRunRows } from './dry-run-rows.ts'
import { type FileCheck, openFile, type ReadFile, readSource } from './file-check.ts'
import { PeopleSample } from './people-sample.ts'

export interface DryRunTools {
  database: Database
  ledger: Ledger
  issuer: Pick<Issuer, 'fieldList'> & Parameters<typeof checkFirstList>[0]['issuer']
  pipelines: Pick<Pipelines, 'named'>
  courses: Pick<CourseCache, 'uuidOf'>
  uploads: SheetLayoutCache
  tuning: { pageSize: number }
  clock: Pick<Clock, 'now'>
  settings: { file: { service: { limits: { general: number } } } }
}

interface FileToCheck {
  pipeline: string
  location: string | OpenFile
  /** The name under which the file would be issued. */
  sourceName?: string
  /** Called with the number of rows of each batch before it is checked; an error that it throws ends the dry run. */
  onRows?: (count: number) => void
}

export interface FileDryRun extends Pick<ReadFile<DryRun>, 'header' | 'plan' | 'imageColumn'> {
  document: DryRunDocument
  unmasked: DryRun['unmasked']
  course: string
  fields: readonly Field[]
}

/** @throws SourceError, PlanError, and any error from calling the service */
export async function dryRunFile(tools: DryRunTools, file: FileToCheck): Promise<FileDryRun> {
  const { ledger } = tools
  const pipeline = tools.pipelines.named(file.pipeline)
  const course = await tools.courses.uuidOf(pipeline)
  const fields = await tools.issuer.fieldList(course)
  const path = typeof file.location === 'string' ? file.location : file.location.path
  const source = file.sourceName ?? basename(path)
  let sample = new PeopleSample(maxPeopleSearched)
  const input = {
    ...{ pipeline, course, fields, hasher: ledger.hasher, now: tools.clock.now() },
    checkUploadSheet: (content: FilledSheet) => checkSheet(tools.uploads, pipeline.batch, course, content),
  }
  const read = await readSource(
    () => openFile(file.location, pipeline.file),
    input,
    (source, check) => {
      sample = new PeopleSample(maxPeopleSearched)
      return runOverRows(tools, counted(source.batches(), file.onRows), { check, course, sample })
    },
  )
  const { result, notices, header, plan, imageColumn } = read
  const question = {
    course,
    people: sample.recipients(),
    correlation: identityRuleOf(pipeline, fields).rule.correlation,
  }
  const firstList = await reportFindings(tools, question)
  const planned = await planOf(tools, file.pipeline, { pipeline, course })
  const about = { pipeline: file.pipeline, source, reportShows: firstList.shows }
  const document = dryRunDocument(result, { ...planned, ...about, notices: [...notices, ...firstList.notices] })
  return { document, unmasked: result.unmasked, header, plan, imageColumn, course, fields }
}

interface DryRunRequest {
  check: FileCheck
  course: string
  sample: PeopleSample
}

async function runOverRows(
  { ledger, database }: DryRunTools,
  batches: AsyncIterable<SourceRow[]>,
  { check, course, sample }: DryRunRequest,
): Promise<DryRun> {
  const { nameFields, primaryVaries, identified } = check
  const known = primaryVaries && (await ledger.knownRows.people(course, { nameFields, ...primaryVaries }))
  const scope = { environment: ledger.environment, course, rule: { nameFields, ...identified } }
  const recognize = (await hasForgotten(database, scope))
    ? (rows: readonly StagedRow[]) => findForgotten(database, { ...scope, hasher: ledger.hasher }, rows)
    : null
  return dryRunRows(batches, { ...check, known, recognize }, async (rows) => {
    const statuses = await ledger.knownRows.compare(course, rows)
    const knownElsewhere = await knownByOtherIdentity(database, scope, rows)
    return statuses.map((status, index) => {
      if (status === 'unknown' && knownElsewhere[index]) return 'person twice'
      const row = rows[index]
      if (status === 'unknown' && row) sample.add(row)
      return status
    })
  })
}

async function* counted(batches: AsyncIterable<SourceRow[]>, onRows: FileToCheck['onRows']) {
  for await (const batch of batches) {
    onRows?.(batch.length)
    yield batch
  }
}

async function planOf(
  { ledger, settings }: DryRunTools,
  name: string,
  { pipeline, course }: { pipeline: PipelineSettings; course: string },
) {
  const { size } = pipeline.batch
  return {
    batchSize: Math.min(size, (await ledger.courses.learnedBatchLimit(name)) ?? size),
    needsCanary: await ledger.courses.needsCanary(course),
    callsPerSecond: settings.file.service.limits.general,
    brake: pipeline.brake,
    recentSizes: await ledger.brake.recentSizes(name),
    issuedToday: await ledger.brake.issuedToday(name),
  }
}

/**
 * Returns what the report shows about the people of a first list. Nothing is stored, because the list is checked again
 * when it is issued.
 */
async function reportFindings({ issuer, ledger, tuning }: DryRunTools, question: FirstListQuestion) {
  if (question.people.length === 0) return { shows: null, notices: [] }
  try {
    return { shows: await checkFirstList({ issuer, ledger, pageSize: tuning.pageSize }, question), notices: [] }
  } catch (error) {
    const why = `The report could not be checked for this course. Its first list waits until that is possible: ${safeMessage(error)}`
    return { shows: null, notices: [why] }
  }
}
