// Calls that change a course or revoke a credential: each is sent once, in the documented form, and classified.

import { describe, expect, test } from 'vitest'
import { CourseInputError } from '#src/issuer/courses/course-body.ts'
import type { CourseInput } from '#src/issuer/courses/course-fields.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import { UnusableIdError } from '#src/issuer/routes.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import { envelope, json, raw, resetBeforeAnswer, type Script } from '#test/support/scripted-server.ts'
import { openBench } from '../client-bench.ts'

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0x80, 0xff])
const course: CourseInput = {
  name: 'Weldïng',
  certBodyUUID: 'b',
  category_uuid: 'g',
  courseNumber: 'W-1',
  is_certification_expire: 1,
  certificate_validity_duration_type: 'YEAR',
  certificate_validity_duration: 2,
  recertification: 'Needed',
  description: '<p>"Steel"\r\n--x</p>',
  is_public: 0,
}
const fresh: CourseInput = { ...course, templateId: ['t1', 't2'], badgeTemplateId: ['b1'] }

/** Parses a form as a web server does. */
function formIn(body: Buffer, contentType: unknown): Promise<FormData> {
  return new Response(Uint8Array.from(body), { headers: { 'content-type': String(contentType) } }).formData()
}

type Call = (issuer: Issuer) => Promise<Outcome>
/** Longer than any machine needs. */
const options = { deadlineMs: 60_000 }
const calls: Record<string, { path: string; method: string; call: Call; gate: string }> = {
  createCourse: {
    path: '/institute/v1/course',
    method: 'POST',
    gate: 'course-create',
    call: (issuer) => issuer.createCourse(fresh, options),
  },
  updateCourse: {
    path: '/institute/v1/course/u%2Fu',
    method: 'PUT',
    gate: 'course-update',
    call: (issuer) => issuer.updateCourse('u/u', course, options),
  },
  setCourseEnabled: {
    path: '/institute/v1/course/status/u/0',
    method: 'PUT',
    gate: 'course-status',
    call: (issuer) => issuer.setCourseEnabled('u', false, options),
  },
  removeCourseLogo: {
    path: '/institute/v1/course/logo/u',
    method: 'PUT',
    gate: 'course-logo',
    call: (issuer) => issuer.removeCourseLogo('u', 'square', options),
  },
  revokeCredential: {
    path: '/institute/v1/certificate/revoke',
    method: 'POST',
    gate: 'revoke',
    call: (issuer) => issuer.revokeCredential('1234-5678', options),
  },
}

describe.each(Object.entries(calls))('%s', (_name, { path, method, call, gate }) => {
  test('is sent once, through its own gate, to the documented address', async () => {
    await using bench = await openBench()
    bench.server.on(path, envelope({}))
    expect(await call(bench.issuer)).toMatchObject({ class: 'accepted', status: 200 })
    expect(bench.server.seen.at(-1)).toMatchObject({ method, path: `/prefix/api${path}` })
    expect(bench.gates[gate]?.passes).toBe(1)
  })

  test.each<[string, Script | 'silence', string]>([
    ['a reset', resetBeforeAnswer, 'unknown'],
    ['a service that does not answer', 'silence', 'unknown'],
    ['a 400 from the service', json(400, { status: 400, message: 'no' }), 'refused'],
    ['a 429', raw(429, ''), 'throttled'],
  ])('is sent once, and has the right outcome after %s', async (_what, script, expected) => {
    await using bench = await openBench()
    bench.server.on(path, script === 'silence' ? bench.silence : script)
    expect((await call(bench.issuer)).class).toBe(expected)
    expect(bench.server.requests(path)).toHaveLength(1)
  })

  test('renews the token and repeats once after a 401', async () => {
    await using bench = await openBench()
    bench.server.on(path, json(401, { status: 401 }), envelope({}))
    expect((await call(bench.issuer)).class).toBe('accepted')
    const used = bench.server.requests(path).map((request) => request.headers.authorization)
    expect(used).toEqual(['Bearer access-1', 'Bearer access-2'])
  })
})

describe('the body of a course change', () => {
  test('for a new course is a form: lists as JSON text, validity in both spellings, images as files', async () => {
    await using bench = await openBench()
    bench.server.on('/v1/course', envelope({}))
    const image = { bytes: png, contentType: 'image/png' as const }
    const jpeg = { bytes: Buffer.from([0xff, 0xd8, 0xff]), contentType: 'image/jpeg' as const }
    await bench.issuer.createCourse({
      ...fresh,
      image,
      course_image_certificate: jpeg,
      includes: ['a "b"'],
      label5: '',
      price: '12.50',
    })
    const { bytes, headers } = bench.server.requests('/v1/course')[0] ?? {}
    const form = await formIn(bytes ?? Buffer.alloc(0), headers?.['content-type'])
    const { image: sent, course_image_certificate: second, ...fields } = Object.fromEntries(form)
    expect(fields).toEqual({
      name: 'Weldïng',
      certBodyUUID: 'b',
      category_uuid: 'g',
      templateId: '["t1","t2"]',
      badgeTemplateId: '["b1"]',
      courseNumber: 'W-1',
      is_certification_expire: '1',
      certificate_validity_duration_type: 'YEAR',
      certification_validity_duration_type: 'YEAR',
      certificate_validity_duration: '2',
      certification_validity_duration: '2',
      recertification: 'Needed',
      includes: '["a \\"b\\""]',
      description: '<p>"Steel"\r\n--x</p>',
      price: '12.50',
      is_public: '0',
      label5: '',
    })
    expect(sent).toMatchObject({ name: 'image.png', type: 'image/png' })
    expect(Buffer.from(await (sent as File).arrayBuffer())).toEqual(png)
    expect(second).toMatchObject({ name: 'course-image-certificate.jpg', type: 'image/jpeg' })
  })

  test('for a change contains the four lists of templates to add and to remove', async () => {
    await using bench = await openBench()
    bench.server.on('/course/u', envelope({}))
    const lists = {
      template_add: ['a'],
      template_remove_id: ['r'],
      badge_template_add: ['x'],
      badge_template_remove_id: ['y', 'z'],
    }
    await bench.issuer.updateCourse('u', { ...course, ...lists })
    const { bytes, headers } = bench.server.requests('/course/u')[0] ?? {}
    const fields = Object.fromEntries(await formIn(bytes ?? Buffer.alloc(0), headers?.['content-type']))
    expect(fields).toMatchObject({
      template_add: '["a"]',
      template_remove_id: '["r"]',
      badge_template_add: '["x"]',
      badge_template_remove_id: '["y","z"]',
    })
    expect(fields).not.toHaveProperty('templateId')
  })

  test('is not sent if the input has faults, and every fault is reported', async () => {
    await using bench = await openBench()
    const error = await bench.issuer.createCourse({ ...course, is_public: 2 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CourseInputError)
    expect(String(error)).toMatch(/templateId is required.*badgeTemplateId is required.*is_public must be 0 or 1/)
    expect(bench.server.seen).toHaveLength(0)
  })

  test('names a logo by its shape and a credential by its id, and is empty for a status', async () => {
    await using bench = await openBench()
    for (const path of ['/logo/u', '/status/u', '/revoke']) bench.server.on(path, envelope({}))
    await bench.issuer.removeCourseLogo('u', 'rectangle')
    await bench.issuer.setCourseEnabled('u', true)
    await bench.issuer.revokeCredential('12-34')
    const bodies = bench.server.seen.map((each) => each.body).slice(1)
    expect(bodies).toEqual(['{"remove_logo_type":"rectangle"}', '', '{"credential_id":"12-34"}'])
    expect(bench.server.requests('/status/u/1')).toHaveLength(1)
  })

  test('is not sent if the uuid would lead to another path', async () => {
    await using bench = await openBench()
    for (const uuid of ['', ' ', '.', '..'])
      await expect(bench.issuer.updateCourse(uuid, course)).rejects.toThrow(UnusableIdError)
    expect(bench.server.seen).toHaveLength(0)
  })
})

describe('the status in the answer', () => {
  test.each([
    ['the requested one as text', { status: '1' }, 'accepted', null],
    ['the requested one as a number', { status: 1 }, 'accepted', null],
    ['missing', {}, 'accepted', null],
    ['another one', { status: '0' }, 'unknown', 'STATUS_DISAGREES'],
  ])('leads to the right outcome if it is %s', async (_what, payload, expected, code) => {
    await using bench = await openBench()
    bench.server.on('/status/u/1', envelope(payload))
    expect(await bench.issuer.setCourseEnabled('u', true)).toMatchObject({ class: expected, code })
  })
})
