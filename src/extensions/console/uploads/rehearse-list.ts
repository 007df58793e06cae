// Rehearses a list: what issuing it would do, found out by the code of `credsync issue --dry-run`. Also says what has
// changed since, so that only what was rehearsed is issued. Reads the file, the ledger and the service.

import { createHash } from 'node:crypto'
import { fingerprintOf } from '#config/fingerprint.ts'
import type { App } from '#src/app/app.ts'
import { checkSize } from '#src/domain/credential/brake.ts'
import { cleanText } from '#src/domain/recipient/clean-text.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { namesColumn, type Where } from '#src/domain/recipient/who-is-meant.ts'
import { findAddedColumns } from '#src/files/tables/added-columns.ts'
import { expectHash, openSubmittedFile } from '#src/files/tables/hash-file.ts'
import { dryRunFile, type FileDryRun } from '#src/issuing/intake/dry-run-file.ts'
import { refusalOf } from '#src/issuing/intake/refusing-errors.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import type { Upload } from './open-uploads.ts'
import type { FinishedRehearsal, Rehearsal, RehearsalBasis, RehearsedColumn } from './rehearsal-record.ts'

export interface ListToRehearse {
  upload: Upload
  path: string
  because: string[]
  /** Throws to end the rehearsal. */
  onRows: (count: number) => void
  signal: AbortSignal
}

/** @throws only if it was ended */
export async function rehearse(parts: App, list: ListToRehearse): Promise<Rehearsal> {
  const { upload, path, because, onRows, signal } = list
  try {
    const at = parts.clock.now().toISOString()
    await using file = await openSubmittedFile(path)
    await expectHash(file, upload.sha256)
    // Read first: what comes into the ledger during the rehearsal must count as a change.
    const state = await ledgerState(parts, upload.pipeline)
    const tried = await dryRunFile(parts, {
      pipeline: upload.pipeline,
      location: file,
      sourceName: upload.name,
      onRows,
    })
    await expectHash(file, upload.sha256)
    const { document, unmasked } = tried
    const basis: RehearsalBasis = {
      sha256: upload.sha256,
      settings: settingsHash(parts, upload.pipeline),
      fields: fieldsHash(tried.fields),
      ...state,
    }
    return {
      kind: 'finished',
      at,
      basis,
      document,
      ...columnsOf(tried, parts.pipelines.named(upload.pipeline).where),
      unmasked,
      because,
    }
  } catch (error) {
    signal.throwIfAborted()
    const sentence = refusalOf(error)
    return sentence === null ? { kind: 'failed', sentence: safeMessage(error) } : { kind: 'refused', sentence }
  }
}

/**
 * Says what has changed since a rehearsal; empty if it is still true. What the report shows of a course before its
 * first list is not asked again: issuing the list asks.
 * @throws whatever calling the service throws
 */
export async function changesSince(
  parts: App,
  { basis, document }: Pick<FinishedRehearsal, 'basis' | 'document'>,
  upload: Pick<Upload, 'pipeline'>,
  path: string,
): Promise<string[]> {
  const changes: string[] = []
  if (!(await hasContent(path, basis.sha256))) changes.push('The file was changed on the disk of the server.')
  const { pipeline } = upload
  const now = await ledgerState(parts, pipeline)
  if (settingsHash(parts, pipeline) !== basis.settings || now.course !== basis.course)
    changes.push('The settings of the pipeline were changed.')
  else if (fieldsHash(await parts.issuer.fieldList(now.course)) !== basis.fields)
    changes.push('The fields of the course were changed in the service.')
  if (now.lastRun !== basis.lastRun) changes.push('Other rows of this course have come into the ledger.')
  if (now.lastErasure !== basis.lastErasure) changes.push('The data of somebody were deleted.')
  if (changes.length === 0 && (await brakeNow(parts, pipeline, document.new)) !== document.brake)
    changes.push('The brake decides otherwise by now.')
  return changes
}

async function hasContent(path: string, sha256: string): Promise<boolean> {
  try {
    await using file = await openSubmittedFile(path)
    await expectHash(file, sha256)
    return true
  } catch (error) {
    if (refusalOf(error) === null) throw error
    return false
  }
}

async function ledgerState({ ledger, courses, pipelines }: App, pipeline: string) {
  const course = await courses.uuidOf(pipelines.named(pipeline))
  return { course, ...(await ledger.consoleReadings.stateForRehearsal(course)) }
}

async function brakeNow({ ledger, pipelines }: App, name: string, rows: number): Promise<string | null> {
  const [recent, today] = [await ledger.brake.recentSizes(name), await ledger.brake.issuedToday(name)]
  return checkSize(pipelines.named(name).brake ?? {}, rows, recent, today).because
}

function settingsHash({ settings, pipelines }: App, name: string): string {
  const { baseUrl, file } = settings
  return fingerprintOf({ baseUrl, file: { ...file, pipelines: { [name]: pipelines.named(name) } } })
}

const fieldsHash = (fields: readonly Field[]) => createHash('sha256').update(JSON.stringify(fields)).digest('hex')

function columnsOf(
  { header, plan, imageColumn }: FileDryRun,
  where: Where,
): Pick<FinishedRehearsal, 'columns' | 'constants'> {
  const ours = findAddedColumns(header).all
  const columns = header.map((title, index): RehearsedColumn => {
    const fields = plan.flatMap(({ field, source }) =>
      source.kind === 'column' && source.index === index ? [field.displayName] : [],
    )
    if (fields.length > 0) return { title, fields, use: 'fields' }
    if (namesColumn(where, cleanText(title))) return { title, fields, use: 'where' }
    return { title, fields, use: title === imageColumn ? 'images' : ours.has(index) ? 'ours' : 'nothing' }
  })
  const constants = plan.flatMap(({ field, source }) =>
    source.kind === 'constant' ? [{ field: field.displayName, value: source.value }] : [],
  )
  return { columns, constants }
}
