// Tests the states of a course: its audit, switching it off and on, and when credentials can be issued for it.

import { describe, expect, test } from 'vitest'
import { person, visitSandbox } from '#test/sandboxes/service/visitor.ts'
import { coursePath, createdCourse, detailOf, smallForm } from './course-form.ts'

const settings = {
  limits: { general: 1_000, auth: 1_000 },
  auditPace: { unassignedMs: 100, assignedMs: 200, auditMs: 300 },
}

describe('a new course', () => {
  test('goes through its audit, and is approved at its end', async () => {
    const visitor = await visitSandbox(settings)
    await createdCourse(visitor, await smallForm(visitor))
    const seen: number[][] = []
    for (const waitMs of [0, 99, 1, 199, 1, 299, 1]) {
      await visitor.clock.advance(waitMs)
      const { approval_status_id, audit_status_id } = await detailOf(visitor, 'NEW-1')
      seen.push([approval_status_id, audit_status_id])
    }
    expect(seen).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
      [1, 1],
      [1, 2],
      [1, 2],
      [2, 5],
    ])
  })

  test('issues nothing before it is approved', async () => {
    const visitor = await visitSandbox(settings)
    const created = await createdCourse(visitor, await smallForm(visitor))
    await visitor.clock.advance(599)
    const answer = await visitor.invite([person('a@example.org')], invitation(created))
    expect(answer).toMatchObject({ http: 400, message: expect.stringContaining('not approved') })
    expect(visitor.sandbox.requests()).toEqual([])
    await visitor.clock.advance(1)
    expect((await visitor.invite([person('a@example.org')], invitation(created))).http).toBe(200)
  })
})

describe('the status of a course', () => {
  test('is switched and returned as text, and a disabled course issues nothing', async () => {
    const { put, course, invite, post } = await visitSandbox(settings)
    const path = `${coursePath}/status/${course.uuid}`
    expect(await put(`${path}/0`)).toMatchObject({ http: 200, payload: { status: '0' } })
    expect((await invite([person('a@example.org')])).message).toContain('disabled')
    const { payload } = await post('/api/institute/v3/course/detail', { courseUUID: course.uuid })
    expect(payload.data).toMatchObject({ is_active: 0, approval_status_id: 2 })
    expect(await put(`${path}/1`)).toMatchObject({ http: 200, payload: { status: '1' } })
    expect((await invite([person('a@example.org')])).http).toBe(200)
  })

  test('is 0 or 1, for an existing course', async () => {
    const { put, course } = await visitSandbox(settings)
    expect((await put(`${coursePath}/status/${course.uuid}/2`)).http).toBe(400)
    expect((await put(`${coursePath}/status/nowhere/1`)).http).toBe(404)
  })
})

function invitation(detail: {
  course_uuid: string
  template_id: string
  badgeTemplateDetail: { template_uuid: string }[]
}) {
  return {
    course_uuid: detail.course_uuid,
    template_uuid: detail.template_id,
    badge_template_uuid: detail.badgeTemplateDetail[0]?.template_uuid,
  }
}
