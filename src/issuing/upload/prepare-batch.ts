// Prepares the request body of a batch, as JSON or as a file, before the batch is claimed. Reads images from the
// database, and the upload sheet from the service through the cache.

import type { PipelineSettings } from '#config/schema.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import type { PreparedInvitation } from '#src/issuer/sending/invitation-body.ts'
import { buildInvitation } from '#src/issuing/pipelines/build-invitation.ts'
import type { Batch } from '#src/ledger/attempts/attempts.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import { layOut } from './sheet-layout.ts'
import type { SheetLayoutCache } from './sheet-layout-cache.ts'
import { type BatchImage, uploadFile } from './upload-file.ts'

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

/** @throws whatever SheetLayoutCache throws */
export async function prepareBatch(
  tools: BatchTools,
  pipeline: PipelineSettings,
  batch: Batch,
): Promise<BatchOrReason> {
  const { options, students, ...invitation } = buildInvitation(pipeline, batch.courseUuid, batch.recipients)
  const withImages = batch.images.some((image) => image !== null)
  if (pipeline.batch.mode === 'json') {
    // These rows were read while the mode was upload. As JSON they would be sent without their images.
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
