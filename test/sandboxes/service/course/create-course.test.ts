// Tests which forms for a new course are accepted, and which are refused with which message.

import { describe, expect, test } from 'vitest'
import { type Visitor, visitSandbox } from '#test/sandboxes/service/visitor.ts'
import { aJpeg, aPng } from '#test/support/portraits.ts'
import { coursePath, createdCourse, detailOf, listed, smallForm, without } from './course-form.ts'

const uncounted = { limits: { general: 1_000, auth: 1_000 } }

describe('a course', () => {
  test('is created from the required fields, with everything else unset', async () => {
    const visitor = await visitSandbox(uncounted)
    const answer = await visitor.form('POST', coursePath, await smallForm(visitor))
    expect(answer).toMatchObject({ http: 200, status: 200, payload: {}, pager: {} })
    expect(answer.message).toContain('added')
    const detail = await detailOf(visitor, 'NEW-1')
    expect(detail).toMatchObject({
      course_name: 'Bricklaying',
      course_category: 'Trades',
      approval_status_id: 1,
      audit_status_id: 0,
      is_active: 1,
      is_public: 1,
      is_certification_expire: 0,
      templateDetails: [{ template_name: 'Trades certificate' }],
      badgeTemplateDetail: [{ template_name: 'Trades badge' }],
    })
    const unset = ['content', 'price', 'currency', 'course_includes', 'course_languages', 'image_', 'recertification']
    for (const name of unset) expect(detail[name], name).toBeNull()
  })

  test('is created from every field, and shows each one that the detail has', async () => {
    const visitor = await visitSandbox(uncounted)
    const texts = {
      certification_validity_duration_type: 'YEAR',
      certification_validity_duration: '3',
      recertification: 'Not needed',
      content: 'c1',
      competency: 'c2',
      competency_tags: 'a,b',
      certificate_description: 'c3',
      admission_requirement: 'c4',
      duration_type: 'DAY',
      certificate_course_id: 'c5',
      course_buy_url: 'https://buy.example.org',
      cooperation_partner_name: 'c6',
      cooperation_partner_url: 'https://partner.example.org',
    }
    const [german, czech] = [await listed(visitor, 'language', 'German'), await listed(visitor, 'language', 'Czech')]
    const modules = await visitor.post('/api/institute/v1/module/list', {})
    const detail = await createdCourse(visitor, {
      ...(await smallForm(visitor)),
      ...texts,
      is_certification_expire: '1',
      includes: '["mortar","bricks"]',
      duration: '2.5',
      total_lessons: '12',
      price: '99.90',
      course_format_uuid: (await listed(visitor, 'format', 'Self-study')).course_format_uuid,
      currency_uuid: (await listed(visitor, 'currency', 'CHF')).currency_uuid,
      languages: `${german.language_uuid}, ${czech.language_uuid}`,
      moduleUUID: modules.payload.data.map((each: { module_uuid: string }) => each.module_uuid).join(','),
      label1: 'Bricks',
      image: aPng('square'),
      course_image_certificate: aJpeg('wide'),
    })
    expect(detail).toMatchObject({
      ...texts,
      certification_validity_duration: 3,
      is_certification_expire: 1,
      course_includes: ['mortar', 'bricks'],
      course_languages: [czech, german],
      duration: 2.5,
      total_lessons: 12,
      price: 99.9,
      course_format: 'Self-study',
      currency_code: 'CHF',
      image_: expect.stringMatching(/\.png$/),
      course_image_certificate: expect.stringMatching(/\.jpg$/),
    })
  })

  test('accepts its validity in either spelling, but not in both with different values', async () => {
    const visitor = await visitSandbox(uncounted)
    const expiring = { ...(await smallForm(visitor)), is_certification_expire: '1', recertification: 'Needed' }
    const one = { certificate_validity_duration: '18', certificate_validity_duration_type: 'MONTH' }
    const other = { certification_validity_duration: '2', certification_validity_duration_type: 'YEAR' }
    expect(await createdCourse(visitor, { ...expiring, ...one })).toMatchObject({
      certification_validity_duration: 18,
      certification_validity_duration_type: 'MONTH',
    })
    expect((await visitor.form('POST', coursePath, { ...expiring, courseNumber: 'N2', ...one, ...other })).http).toBe(
      400,
    )
    expect((await visitor.form('POST', coursePath, { ...expiring, courseNumber: 'N2', ...other })).http).toBe(200)
  })
})

describe('a course form', () => {
  test('is refused without a required field, with the name of that field', async () => {
    const visitor = await visitSandbox(uncounted)
    const validity = {
      certification_validity_duration: '2',
      certification_validity_duration_type: 'YEAR',
      recertification: 'Needed',
    }
    const form = { ...(await smallForm(visitor)), is_certification_expire: '1', ...validity }
    for (const name of Object.keys(form)) {
      const answer = await visitor.form('POST', coursePath, without(form, name))
      expect(answer).toMatchObject({ http: 400, message: expect.stringContaining(`${name} is required`) })
    }
    expect(await courseCount(visitor)).toBe(visitor.sandbox.courses.length)
  })

  test.each<[string, Record<string, string | Buffer>, string]>([
    ['a number of another course, in any case', { courseNumber: 'weld-1' }, 'courseNumber belongs to another course'],
    ['an unknown certification body', { certBodyUUID: 'x' }, 'certBodyUUID is not in the certification body list'],
    ['an unknown category', { category_uuid: 'x' }, 'category_uuid is not in'],
    ['an unknown format', { course_format_uuid: 'x' }, 'course_format_uuid is not in'],
    ['an unknown currency', { currency_uuid: 'x' }, 'currency_uuid is not in'],
    ['an unknown language', { languages: 'x,y' }, 'languages is not in'],
    ['an unknown module', { moduleUUID: 'x' }, 'moduleUUID is not in'],
    ['an unknown template', { templateId: '["x"]' }, 'templateId names something'],
    ['no template in the list', { templateId: '[]' }, 'templateId is required'],
    ['a list that is not JSON', { templateId: 'x' }, 'templateId must be a JSON array'],
    ['words that are numbers', { includes: '[1]' }, 'includes must be a JSON array of strings'],
    ['an invalid flag', { is_public: 'yes' }, 'is_public must be 1 or 0'],
    ['an unknown duration type', { duration_type: 'WEEK' }, 'duration_type must be HOUR or DAY'],
    ['a price that is not a number', { price: '12,50' }, 'price must be a number'],
    ['a part of a lesson', { total_lessons: '1.5' }, 'total_lessons must be a whole number'],
    ['an image that is a page', { image: Buffer.from('<html>') }, 'image must be a jpg, jpeg or png'],
    ['an image that is a text', { image: 'picture' }, 'image must be a file'],
    ['a field that is not documented', { coursename: 'x' }, 'not documented'],
    ['a field of the update', { template_add: '[]' }, 'not documented'],
    ['a file that is not documented', { video: aPng('v') }, 'not documented'],
  ])('with %s is refused as a whole', async (_what, more, reason) => {
    const visitor = await visitSandbox(uncounted)
    const answer = await visitor.form('POST', coursePath, { ...(await smallForm(visitor)), ...more })
    expect(answer).toMatchObject({ http: 400, message: expect.stringContaining(reason) })
    expect(await courseCount(visitor)).toBe(visitor.sandbox.courses.length)
  })

  test('accepts no badge as a certificate, and no disabled template', async () => {
    const visitor = await visitSandbox(uncounted)
    const form = await smallForm(visitor)
    const old = JSON.stringify([(await listed(visitor, 'template', 'Certificate of 1998')).template_uuid])
    for (const templateId of [form.badgeTemplateId as string, old])
      expect((await visitor.form('POST', coursePath, { ...form, templateId })).http).toBe(400)
  })

  test('is sent as a form, not as JSON', async () => {
    const visitor = await visitSandbox(uncounted)
    expect((await visitor.post(coursePath, await smallForm(visitor))).http).toBe(400)
  })
})

test('two courses created with one number at the same time become one', async () => {
  const visitor = await visitSandbox(uncounted)
  const form = await smallForm(visitor)
  const answers = await Promise.all([1, 2, 3].map(() => visitor.form('POST', coursePath, form)))
  expect(answers.map(({ http }) => http).sort()).toEqual([200, 400, 400])
})

async function courseCount({ post }: Visitor): Promise<number> {
  return (await post(`${coursePath}/list`, {})).pager.totalRecords
}
