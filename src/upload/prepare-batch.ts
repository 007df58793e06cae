// A batch becomes the body of its one call, as data or as a file, before it stands at the door.

import type { PipelineSettings } from '#config/schema.ts'
import type { PreparedInvitation } from '#src/issuer/invitation-body.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import type { Batch } from '#src/ledger/attempts.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import { invitationOf } from '#src/pipelines/invitation-of.ts'
import { layOut } from './sheet-layout.ts'
import type { UploadDesk } from './upload-desk.ts'
import { type BatchImage, uploadFile } from './upload-file.ts'

export interface BatchTools {
  issuer: Pick<Issuer, 'prepareInvitation' | 'prepareUpload'>
  ledger: Pick<Ledger, 'readImages'>
  uploads: UploadDesk
}

export interface Made {
  prepared: PreparedInvitation
  /** Bytes of the file where images are in it. */
  imageBytes: number | null
}

/** What cannot be made yet waits: `course` where every batch of the course would, `batch` where it is about these rows. */
export type MadeBatch = Made | { whyNot: string; waits: 'course' | 'batch' }

/** @throws what UploadDesk throws */
export async function prepareBatch(tools: BatchTools, pipeline: PipelineSettings, batch: Batch): Promise<MadeBatch> {
  const { options, students, ...invitation } = invitationOf(pipeline, batch.courseUuid, batch.recipients)
  const withImages = batch.images.some((image) => image !== null)
  if (pipeline.batch.mode === 'json') {
    // They were taken while the mode was upload; sent as data they would lose their images in silence.
    if (withImages) return { whyNot: 'its images need batch.mode upload, which the pipeline had', waits: 'batch' }
    return { prepared: tools.issuer.prepareInvitation({ ...invitation, options, students }), imageBytes: null }
  }

  const wish = withImages ? { column: pipeline.batch.imageColumn } : null
  const { columns, courseNumber } = await tools.uploads.sheetOf(batch.courseUuid, wish)
  const fields = [...new Set(students.flatMap((student) => Object.keys(student)))]
  const { layout, faults } = layOut(columns, { fields, images: wish, courseNumber })
  if (faults.length > 0) return { whyNot: faults.join(' '), waits: 'course' }

  const images = await imagesOf(tools.ledger, batch.images)
  if (!images) return { whyNot: 'an image of it is no longer kept; hand the file in again', waits: 'batch' }
  const file = await uploadFile(layout, students, images)
  const prepared = tools.issuer.prepareUpload({ ...invitation, file, students: students.length })
  return { prepared, imageBytes: withImages ? file.bytes.length : null }
}

/** Null when one is missing. */
async function imagesOf(ledger: BatchTools['ledger'], hashes: Batch['images']): Promise<(BatchImage | null)[] | null> {
  const wanted = hashes.filter((hash) => hash !== null)
  const kept = wanted.length > 0 ? await ledger.readImages(wanted) : new Map<string, never>()
  if (wanted.some((hash) => !kept.has(hash))) return null
  return hashes.map((sha256) => {
    const image = sha256 === null ? undefined : kept.get(sha256)
    return sha256 !== null && image ? { sha256, ...image } : null
  })
}
