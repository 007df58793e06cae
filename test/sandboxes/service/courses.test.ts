// Tests what a client reads before its first invitation. Each test opens a sandbox of its own over HTTP, which closes
// when the test ends.

import { describe, expect, test } from 'vitest'
import { paths, visitSandbox } from './visitor.ts'

describe('the course list', () => {
  test('shows every course with a correct pager', async () => {
    const { post, sandbox } = await visitSandbox()
    const records = sandbox.courses.length
    const { payload, pager } = await post(paths.list, { pageNumber: 2, recordsPerPage: records - 1 })
    expect(payload.data).toHaveLength(1)
    expect(pager).toEqual({
      pageNumber: 2,
      recordsPerPage: records - 1,
      filteredRecords: records,
      totalRecords: records,
      sortBy: 'course_name',
      sortOrder: 'asc',
    })
  })

  test('can be searched by part of a name, and shows approval and enabled state', async () => {
    const { post, sandbox } = await visitSandbox()
    const { payload, pager } = await post(paths.list, { search: JSON.stringify({ course_name: 'crane' }) })
    expect(payload.data).toMatchObject([{ course_number: 'CRANE-3', approval_status_id: 1, is_active: 1 }])
    expect(pager).toMatchObject({ filteredRecords: 1, totalRecords: sandbox.courses.length })
  })
})

describe('the course detail', () => {
  test('accepts either spelling of the uuid and names the templates', async () => {
    const { post, course } = await visitSandbox()
    const one = await post(paths.detail, { course_uuid: course.uuid })
    const other = await post(paths.detail, { courseUUID: course.uuid })
    expect(one.payload).toEqual(other.payload)
    expect(one.payload.data).toMatchObject({
      course_uuid: course.uuid,
      course_name: course.name,
      templateDetails: [{ template_uuid: course.templateUuid }],
      badgeTemplateDetail: [{ template_uuid: course.badgeTemplateUuid }],
      price: null,
    })
  })

  test('is 404 for a course that does not exist, and 400 without a uuid', async () => {
    const { post } = await visitSandbox()
    expect((await post(paths.detail, { course_uuid: 'nowhere' })).http).toBe(404)
    expect((await post(paths.detail, {})).http).toBe(400)
  })
})

describe('the field list', () => {
  test('is keyed by display name, with complete descriptors', async () => {
    const { get, course } = await visitSandbox()
    const { payload, pager } = await get(`${paths.fieldList}/${course.uuid}`)
    expect(pager).toEqual({})
    expect(payload.Email).toMatchObject({ name: 'email_', required: true, unique: false, max_length: 128 })
    expect(payload['Birth Date']).toMatchObject({ input_type: 'date-picker', required: false, min: null, max: null })
    for (const [key, field] of Object.entries<Record<string, unknown>>(payload)) expect(field.display_name).toBe(key)
  })
})

test('an endpoint that does not exist is 404', async () => {
  const { post } = await visitSandbox()
  expect((await post('/api/institute/v1/elsewhere', {})).http).toBe(404)
})
