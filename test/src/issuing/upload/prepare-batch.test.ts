// Preparing the request body of a batch, and the reasons why a batch has to wait.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { parseFileSettings } from '#config/settings.ts'
import { prepareInvitation } from '#src/issuer/sending/invitation-body.ts'
import { prepareUpload } from '#src/issuer/sending/send-change.ts'
import { type BatchTools, prepareBatch } from '#src/issuing/upload/prepare-batch.ts'
import type { Batch } from '#src/ledger/attempts/attempts.ts'
import type { StoredImage } from '#src/ledger/runs/images.ts'
import { aCourse, otherCourse, recipients } from '#test/support/domain-objects.ts'
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

/** Tools with a ledger that has these images, and a course whose sheet has these columns. */
function toolsWith(
  titles = columns,
  kept: [string, StoredImage][] = [[sha256, { type: 'png', bytes: photo }]],
): BatchTools {
  return {
    issuer: { prepareInvitation, prepareUpload },
    ledger: { images: { read: async () => new Map(kept) } },
    uploads: { sheetOf: async () => ({ columns: titles, courseNumber: null, notice: null }) },
  }
}

const upload = pipelineOf({ batch: { mode: 'upload' }, sponsors: [otherCourse] })

describe('a batch', () => {
  test('of a pipeline that uploads files becomes a form with a ZIP, with the same bytes each time', async () => {
    const result = await prepareBatch(toolsWith(), upload, batch())
    if (!('prepared' in result) || typeof result.prepared.body === 'string') throw new Error('not a form')
    const { bytes, contentType } = result.prepared.body
    const form = await new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } }).formData()
    expect(form.get('course_uuid')).toBe(aCourse)
    expect(form.get('sponsor')).toBe(JSON.stringify([otherCourse]))
    expect((form.get('file') as File).name).toBe('recipients.zip')
    expect(result.prepared.students).toBe(2)
    expect(await prepareBatch(toolsWith(), upload, batch())).toEqual(result)
  })

  test('of a pipeline that sends JSON becomes JSON with the pipeline’s flags', async () => {
    const pipeline = pipelineOf({ options: { sendEmail: true } })
    const result = await prepareBatch(toolsWith(), pipeline, batch({ images: [null, null] }))
    if (!('prepared' in result)) throw new Error('not made')
    expect(JSON.parse(String(result.prepared.body))).toMatchObject({
      is_send_certification_email: true,
      student: recipients(2),
    })
  })

  test('waits with all batches of its course if the sheet no longer has a column for a field', async () => {
    const result = await prepareBatch(toolsWith(['Email', 'First Name', 'Primary Value', 'Photo']), upload, batch())
    expect(result).toEqual({ whyNot: expect.stringContaining('no column for the field “Last Name”'), waits: 'course' })
  })

  test('waits alone if one of its images is missing, and is not sent without it', async () => {
    const result = await prepareBatch(toolsWith(columns, []), upload, batch())
    expect(result).toEqual({ whyNot: expect.stringContaining('submit the file again'), waits: 'batch' })
  })

  test('waits alone if the pipeline now sends JSON, and is not sent without its images', async () => {
    const result = await prepareBatch(toolsWith(), pipelineOf({}), batch())
    expect(result).toEqual({ whyNot: expect.stringContaining('batch.mode upload'), waits: 'batch' })
  })
})
