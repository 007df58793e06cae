// From a batch to the body of its call, and what a batch waits for when its body cannot be made.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PipelineSettings } from '#config/schema.ts'
import { parseFileSettings } from '#config/settings.ts'
import { prepareInvitation } from '#src/issuer/invitation-body.ts'
import { prepareUpload } from '#src/issuer/upload-body.ts'
import type { Batch } from '#src/ledger/attempts.ts'
import type { StoredImage } from '#src/ledger/images.ts'
import { type BatchTools, prepareBatch } from '#src/upload/prepare-batch.ts'
import { aCourse, otherCourse, recipients } from '#test/support/build.ts'
import { aPng } from '#test/support/portraits.ts'

const photo = aPng('a')
const sha256 = createHash('sha256').update(photo).digest('hex')
const columns = ['Email *', 'First Name', 'Last Name', 'Primary Value', 'Photo']

const batch = (more: Partial<Batch> = {}): Batch => ({
  attemptId: 1,
  environment: 'development',
  courseUuid: aCourse,
  pipeline: 'spring',
  recipients: recipients(2),
  images: [sha256, null],
  lastCallAt: null,
  ...more,
})

function pipelineOf(more: object): PipelineSettings {
  const spring = { course: aCourse, template: otherCourse, badgeTemplate: otherCourse, ...more }
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: { spring } })
  return file.pipelines.spring as PipelineSettings
}

/** A ledger that keeps these images, and a course whose sheet has these columns. */
function toolsWith(
  titles = columns,
  kept: [string, StoredImage][] = [[sha256, { type: 'png', bytes: photo }]],
): BatchTools {
  return {
    issuer: { prepareInvitation, prepareUpload },
    ledger: { readImages: async () => new Map(kept) },
    uploads: { sheetOf: async () => ({ columns: titles, courseNumber: null, notice: null }) },
  }
}

const upload = pipelineOf({ batch: { mode: 'upload' }, sponsors: [otherCourse] })

describe('a batch', () => {
  test('of an uploading pipeline becomes a form with a ZIP, the same bytes each time', async () => {
    const made = await prepareBatch(toolsWith(), upload, batch())
    if (!('prepared' in made) || typeof made.prepared.body === 'string') throw new Error('not a form')
    const { bytes, contentType } = made.prepared.body
    const form = await new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } }).formData()
    expect(form.get('course_uuid')).toBe(aCourse)
    expect(form.get('sponsor')).toBe(JSON.stringify([otherCourse]))
    expect((form.get('file') as File).name).toBe('recipients.zip')
    expect(made.prepared.students).toBe(2)
    expect(await prepareBatch(toolsWith(), upload, batch())).toEqual(made)
  })

  test('of a pipeline that sends data becomes JSON, with its flags, as ever', async () => {
    const pipeline = pipelineOf({ options: { sendEmail: true } })
    const made = await prepareBatch(toolsWith(), pipeline, batch({ images: [null, null] }))
    if (!('prepared' in made)) throw new Error('not made')
    expect(JSON.parse(String(made.prepared.body))).toMatchObject({
      is_send_certification_email: true,
      student: recipients(2),
    })
  })

  test('waits, and its course with it, when a field has lost its column in the sheet', async () => {
    const made = await prepareBatch(toolsWith(['Email', 'First Name', 'Primary Value', 'Photo']), upload, batch())
    expect(made).toEqual({ whyNot: expect.stringContaining('no column for the field “Last Name”'), waits: 'course' })
  })

  test('waits alone, and is not sent without its images, when one is gone', async () => {
    const made = await prepareBatch(toolsWith(columns, []), upload, batch())
    expect(made).toEqual({ whyNot: expect.stringContaining('hand the file in again'), waits: 'batch' })
  })

  test('waits alone, and is not sent without its images, when the pipeline now sends data', async () => {
    const made = await prepareBatch(toolsWith(), pipelineOf({}), batch())
    expect(made).toEqual({ whyNot: expect.stringContaining('batch.mode upload'), waits: 'batch' })
  })
})
