// Uploads over HTTP: the prepared bytes arrive, and every outcome is classified in the same way as for JSON.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { prepareUpload, type UploadRequest } from '#src/issuer/sending/send-change.ts'
import { envelope, json } from '#test/support/scripted-server.ts'
import { openBench } from './client-bench.ts'

const path = '/quickIssuance/recipients/data/upload'
// These bytes would be changed by a conversion to text: zero, a lone continuation byte, line endings.
const bytes = Buffer.from([0x50, 0x4b, 0, 0x80, 0xff, 13, 10, 45, 45])
const file = { name: 'recipients.zip', bytes, contentType: 'application/zip' }
const request: UploadRequest = {
  courseUuid: 'c',
  templateUuid: 't',
  badgeTemplateUuid: 'b',
  signatures: [{ uuid: 's', required: false }],
  sponsors: ['p', 'q'],
  mailTemplateUuid: 'm',
  file,
  students: 2,
}
const prepared = prepareUpload(request)
const options = { deadlineMs: 60_000 }

/** Parses a form as a web server does. */
function formIn(body: Buffer, contentType: unknown): Promise<FormData> {
  return new Response(Uint8Array.from(body), { headers: { 'content-type': String(contentType) } }).formData()
}

describe('prepareUpload', () => {
  test('writes the documented fields, with lists as JSON text, and the file, but no flags', async () => {
    const form = await formIn(prepared.body.bytes, prepared.body.contentType)
    const { file: sent, ...fields } = Object.fromEntries(form)
    expect(fields).toEqual({
      course_uuid: 'c',
      template_uuid: 't',
      badge_template_uuid: 'b',
      signature: '[{"uuid":"s","signature_req":false}]',
      sponsor: '["p","q"]',
      custom_email_template_uuid: 'm',
    })
    expect(sent).toMatchObject({ name: 'recipients.zip', type: 'application/zip' })
    expect(Buffer.from(await (sent as File).arrayBuffer())).toEqual(bytes)
    expect(prepared.students).toBe(2)
  })

  test('omits what is not given', async () => {
    const minimal = prepareUpload({ courseUuid: 'c', templateUuid: 't', badgeTemplateUuid: 'b', file, students: 1 })
    const form = await formIn(minimal.body.bytes, minimal.body.contentType)
    expect([...form.keys()]).toEqual(['course_uuid', 'template_uuid', 'badge_template_uuid', 'file'])
  })

  test('returns the same bytes for the same request, other bytes for another, and their digest', () => {
    expect(prepareUpload(request)).toEqual(prepared)
    const other = prepareUpload({ ...request, file: { ...file, bytes: Buffer.from('PK') } })
    expect(other.sha256).not.toBe(prepared.sha256)
    expect(other.body.contentType).not.toBe(prepared.body.contentType)
    expect(prepared.sha256).toBe(createHash('sha256').update(prepared.body.bytes).digest('hex'))
  })
})

describe('an upload', () => {
  test('arrives as the prepared bytes, once, with the form’s content type', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope({}))
    expect((await bench.issuer.invite(prepared, options)).class).toBe('accepted')
    const [seen, ...more] = bench.server.requests(path)
    expect(more).toEqual([])
    expect(seen?.bytes).toEqual(prepared.body.bytes)
    expect(seen?.headers).toMatchObject({
      'content-type': prepared.body.contentType,
      'content-length': String(prepared.body.bytes.length),
      accept: 'application/json',
    })
    expect(bench.gates.invite?.passes).toBe(1)
  })

  test('is sent again with the same bytes after a 401', async () => {
    await using bench = await openBench()
    bench.server.on(path, json(401, { status: 401 }), envelope({}))
    expect((await bench.issuer.invite(prepared, options)).class).toBe('accepted')
    const seen = bench.server.requests(path)
    expect(seen.map((each) => each.bytes.equals(prepared.body.bytes))).toEqual([true, true])
    expect(new Set(seen.map((each) => each.headers.authorization)).size).toBe(2)
  })
})
