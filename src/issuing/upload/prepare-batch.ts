// Prepares the request body of a batch before the batch is claimed: JSON, or a file, which is a workbook or a ZIP of a
// workbook and images. Reads images from the database, and the upload sheet from the service through the cache.

import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import type { PreparedInvitation } from '#src/issuer/sending/invitation-body.ts'
import { buildInvitation } from '#src/issuing/pipelines/build-invitation.ts'
import type { Batch } from '#src/ledger/attempts/attempts.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import { layOut, type SheetLayout } from './sheet-layout.ts'
import type { SheetLayoutCache } from './sheet-layout-cache.ts'
import { fixedZipDate, withFixedDates, zipBytes } from './zip-bytes.ts'

export interface BatchTools {
  issuer: Pick<Issuer, 'prepareInvitation' | 'prepareUpload'>
  ledger: { images: Pick<Ledger['images'], 'read'> }
  uploads: SheetLayoutCache
}

export interface PreparedBatch {
  prepared: PreparedInvitation
  /** The size of the file if it contains images, otherwise null. */
  imageBytes: number | null
}

/**
 * Either the prepared batch, or the reason why it has to wait. If `waits` is `course`, every batch of the course has to
 * wait; if it is `batch`, only these rows.
 */
export type BatchOrReason = PreparedBatch | { whyNot: string; waits: 'course' | 'batch' }

/** @throws any error from SheetLayoutCache */
export async function prepareBatch(
  tools: BatchTools,
  pipeline: PipelineSettings,
  batch: Batch,
): Promise<BatchOrReason> {
  const { options, students, ...invitation } = buildInvitation(pipeline, batch.courseUuid, batch.recipients)
  const withImages = batch.images.some((image) => image !== null)
  if (pipeline.batch.mode === 'json') {
    // These rows were read while the pipeline's mode was upload. Sent as JSON, they would lose their images.
    if (withImages)
      return {
        whyNot: 'the images of these rows can only be sent with batch.mode upload, which the pipeline no longer uses',
        waits: 'batch',
      }
    return { prepared: tools.issuer.prepareInvitation({ ...invitation, options, students }), imageBytes: null }
  }

  const imageContent = withImages ? { column: pipeline.batch.imageColumn } : null
  const { columns, courseNumber } = await tools.uploads.sheetOf(batch.courseUuid, imageContent)
  const fields = [...new Set(students.flatMap((student) => Object.keys(student)))]
  const { layout, faults } = layOut(columns, { fields, images: imageContent, courseNumber })
  if (faults.length > 0) return { whyNot: faults.join(' '), waits: 'course' }

  const images = await imagesOf(tools.ledger, batch.images)
  if (!images) return { whyNot: 'an image of these rows is no longer stored; submit the file again', waits: 'batch' }
  const file = await uploadFile(layout, students, images)
  const prepared = tools.issuer.prepareUpload({ ...invitation, file, students: students.length })
  return { prepared, imageBytes: withImages ? file.bytes.length : null }
}

/** Returns the images in the order of `hashes`; null if an image is missing. */
async function imagesOf(ledger: BatchTools['ledger'], hashes: Batch['images']): Promise<(BatchImage | null)[] | null> {
  const needed = hashes.filter((hash) => hash !== null)
  const stored = needed.length > 0 ? await ledger.images.read(needed) : new Map<string, never>()
  if (needed.some((hash) => !stored.has(hash))) return null
  return hashes.map((sha256) => {
    const image = sha256 === null ? undefined : stored.get(sha256)
    return sha256 !== null && image ? { sha256, ...image } : null
  })
}

export interface BatchImage {
  /** The hash of the content, in hex. */
  sha256: string
  type: 'jpg' | 'png'
  bytes: Buffer
}

interface UploadFile {
  name: string
  bytes: Buffer
  contentType: string
}

const sheetName = 'recipients.xlsx'

/**
 * Builds the file of an upload in memory: a workbook, or a ZIP with a workbook and exactly the images of its rows.
 * @param images one image for each recipient, in the same order; null for a recipient without an image. All must be
 * null if the layout has no image column
 */
export async function uploadFile(
  layout: SheetLayout,
  recipients: readonly Readonly<Record<string, string>>[],
  images: readonly (BatchImage | null)[],
): Promise<UploadFile> {
  const names = images.map((image) => image && nameOf(image))
  const sheet = await workbookBytes(sheetRows(layout, recipients, names))
  // An image that several recipients share is included only once.
  const imageFiles = new Map(images.flatMap((image) => (image ? [[nameOf(image), image.bytes] as const] : [])))
  if (imageFiles.size === 0)
    return {
      name: sheetName,
      bytes: sheet,
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    }
  const bytes = await zipBytes([[sheetName, sheet], ...imageFiles])
  return { name: 'recipients.zip', bytes, contentType: 'application/zip' }
}

// Images are named by their content rather than by their name in the source, because one batch may have rows from two
// source files that each contain a 1.jpg.
function nameOf({ sha256, type }: BatchImage): string {
  return `${sha256.slice(0, 32)}.${type}`
}

/**
 * Converts recipients into the rows of an upload sheet: the header, then one row for each recipient, in the same order.
 * Columns without a value stay empty.
 * @param images the file name of each recipient's image, in the same order
 */
export function sheetRows(
  layout: SheetLayout,
  recipients: readonly Readonly<Record<string, string>>[],
  images: readonly (string | null)[],
): string[][] {
  const rows = recipients.map((recipient, index) => {
    const cells = layout.columns.map(() => '')
    for (const [field, at] of layout.fields) cells[at] = recipient[field] ?? ''
    if (layout.courseNumber) cells[layout.courseNumber.column] = layout.courseNumber.text
    if (layout.image !== null) cells[layout.image] = images[index] ?? ''
    return cells
  })
  return [[...layout.columns], ...rows]
}

/**
 * Writes rows to a workbook in memory, for one batch of a few hundred rows. The same rows give the same bytes. Every
 * cell is text; dates have the format YYYY-MM-DD, as in a JSON invitation.
 */
async function workbookBytes(rows: readonly string[][]): Promise<Buffer> {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  const written = finished(sink)
  const { xlsxTable } = await import('#src/files/tables/xlsx-table.ts')
  // The signal is never aborted, because a sink in memory cannot fail.
  const table = xlsxTable(sink, new AbortController().signal, fixedZipDate)
  for (const row of rows) await table.write(row)
  await table.end()
  await written
  // All dates in the workbook must be fixed, and the writer cannot set the dates of the files inside its ZIP. The ZIP
  // is therefore rewritten.
  return withFixedDates(Buffer.concat(chunks))
}
