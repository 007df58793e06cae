// Tests that an update of a course replaces all fields, keeps templates and images, and is recorded in the journal.

import { describe, expect, test } from 'vitest'
import { person, type Visitor, visitSandbox } from '#test/sandboxes/service/visitor.ts'
import { aJpeg, aPng } from '#test/support/portraits.ts'
import { coursePath, createdCourse, detailOf, listed, smallForm, without } from './course-form.ts'

const uncounted = { limits: { general: 1_000, auth: 1_000 } }

async function visitWithCourse() {
  const visitor = await visitSandbox(uncounted)
  const form = await smallForm(visitor)
  const more = { content: 'Ten evenings.', price: '80', label1: 'Bricks', image: aPng('old') }
  const detail = await createdCourse(visitor, { ...form, ...more, course_image_certificate: aJpeg('old') })
  const sheet = without(form, 'templateId', 'badgeTemplateId')
  const update = (parts: Record<string, string | Buffer>) =>
    visitor.form('PUT', `${coursePath}/${detail.course_uuid}`, parts)
  return { ...visitor, visitor, detail, sheet, update }
}

const templateUuid = async (visitor: Visitor, name: string) =>
  (await listed(visitor, 'template', name)).template_uuid as string

describe('an update', () => {
  test('sets to null what it does not name, and keeps templates and images', async () => {
    const { visitor, detail, sheet, update } = await visitWithCourse()
    const answer = await update({ ...sheet, name: 'Masonry' })
    expect(answer).toMatchObject({ http: 200, payload: {}, message: expect.stringContaining('updated') })
    expect(await detailOf(visitor, 'NEW-1')).toEqual({ ...detail, course_name: 'Masonry', content: null, price: null })
  })

  test('replaces the images that it contains', async () => {
    const { visitor, detail, sheet, update } = await visitWithCourse()
    await update({ ...sheet, image: aPng('new') })
    const after = await detailOf(visitor, 'NEW-1')
    expect(after.image_).not.toBe(detail.image_)
    expect(after.course_image_certificate).toBe(detail.course_image_certificate)
  })

  test('adds and removes templates, of either kind', async () => {
    const { visitor, sheet, update } = await visitWithCourse()
    const plain = await templateUuid(visitor, 'Certificate of attendance')
    const trades = await templateUuid(visitor, 'Trades certificate')
    const badge = await templateUuid(visitor, 'Office badge')
    const parts = {
      template_add: JSON.stringify([plain, trades]),
      template_remove_id: JSON.stringify([trades]),
      badge_template_add: JSON.stringify([badge]),
    }
    expect((await update({ ...sheet, ...parts })).http).toBe(200)
    expect(await detailOf(visitor, 'NEW-1')).toMatchObject({
      template_id: plain,
      templateDetails: [{ template_uuid: plain }],
      badgeTemplateDetail: [{ template_name: 'Trades badge' }, { template_uuid: badge }],
    })
  })

  test.each([
    ['would leave the course without one', 'Trades certificate', 'without a template'],
    ['that the course does not have', 'Office certificate', 'does not have'],
  ])('does not remove a template %s', async (_what, name, reason) => {
    const { visitor, detail, sheet, update } = await visitWithCourse()
    const answer = await update({ ...sheet, template_remove_id: JSON.stringify([await templateUuid(visitor, name)]) })
    expect(answer).toMatchObject({ http: 400, message: expect.stringContaining(reason) })
    expect(await detailOf(visitor, 'NEW-1')).toEqual(detail)
  })

  test.each([
    ['without a required field', { name: '' }, 'name is required'],
    ['with the number of another course', { courseNumber: 'SAFE-2' }, 'belongs to another course'],
    ['with templateId, which only a creation may have', { templateId: '[]' }, 'not documented'],
  ])('%s is refused and changes nothing', async (_what, more, reason) => {
    const { visitor, detail, sheet, update } = await visitWithCourse()
    expect(await update({ ...sheet, ...more })).toMatchObject({ http: 400, message: expect.stringContaining(reason) })
    expect(await detailOf(visitor, 'NEW-1')).toEqual(detail)
  })

  test('is 404 for a course that does not exist', async () => {
    const { visitor, sheet } = await visitWithCourse()
    expect((await visitor.form('PUT', `${coursePath}/nowhere`, sheet)).http).toBe(404)
  })

  test('leaves issued credentials under their old name', async () => {
    const { form, course, invite, report, clock, ...visitor } = await visitSandbox(uncounted)
    await invite([person('a@example.org')])
    const sheet = without(
      await smallForm({ ...visitor, form, course, invite, report, clock }),
      'templateId',
      'badgeTemplateId',
    )
    await form('PUT', `${coursePath}/${course.uuid}`, { ...sheet, name: 'Welding Advanced', courseNumber: 'WELD-1' })
    await invite([person('b@example.org')])
    await clock.advance(10_000)
    const { data } = (await report({}, { sortOrder: 'asc' })).payload
    expect(data.map((row: { certificate_name: string }) => row.certificate_name)).toEqual([
      'Welding Basics',
      'Welding Advanced',
    ])
  })
})

describe('a logo', () => {
  test.each([
    ['the course image', {}, ['image_', 'thumb_']],
    ['the course image', { remove_logo_type: 'square' }, ['image_', 'thumb_']],
    [
      'the image of the certificate',
      { remove_logo_type: 'rectangle' },
      ['course_image_certificate', 'course_thumb_image_certificate'],
    ],
  ])('that is removed is %s with %j', async (_what, body, gone) => {
    const { visitor, detail, put } = await visitWithCourse()
    expect(await put(`${coursePath}/logo/${detail.course_uuid}`, body)).toMatchObject({ http: 200, payload: {} })
    const after = await detailOf(visitor, 'NEW-1')
    expect(after).toEqual({ ...detail, ...Object.fromEntries(gone.map((name) => [name, null])) })
    expect((await put(`${coursePath}/logo/${detail.course_uuid}`, body)).http).toBe(404)
  })

  test('with another shape is refused', async () => {
    const { detail, put } = await visitWithCourse()
    expect((await put(`${coursePath}/logo/${detail.course_uuid}`, { remove_logo_type: 'round' })).http).toBe(400)
  })
})

test('the journal has every change of a course between request and answer', async () => {
  const { sandbox, detail, sheet, update, put } = await visitWithCourse()
  await update(sheet)
  await put(`${coursePath}/status/${detail.course_uuid}/0`)
  await put(`${coursePath}/logo/${detail.course_uuid}`)
  const changes = sandbox.entries().filter((entry) => entry.kind === 'course changed')
  expect(changes.map(({ change, course }) => [change, course])).toEqual(
    ['created', 'updated', 'disabled', 'logo removed'].map((change) => [change, detail.course_uuid]),
  )
  const call = sandbox.entries().filter((entry) => entry.call === changes[1]?.call)
  expect(call.map(({ kind }) => kind)).toEqual(['arrived', 'course changed', 'answered'])
})
