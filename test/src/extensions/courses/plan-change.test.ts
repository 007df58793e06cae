// Planning an update of a course, and finding out afterwards whether the update took effect.

import { describe, expect, test } from 'vitest'
import { courseDifferences, sameValue } from '#src/extensions/courses/course-difference.ts'
import { checkUpdate, makeChange } from '#src/extensions/courses/make-change.ts'
import { planUpdate } from '#src/extensions/courses/plan-change.ts'
import type { WantedFields } from '#src/extensions/courses/wanted-course.ts'
import { courseFieldList } from '#src/issuer/courses/course-fields.ts'
import { courseDetailShape } from '#src/issuer/courses/course-shapes.ts'
import { type Outcome, withoutAnswer } from '#src/issuer/sending/outcome.ts'
import { systemClock } from '#src/platform/time/clock.ts'

// The service shows every field of a course. Fields that are not set are null.
const unset = Object.fromEntries(courseFieldList.flatMap(([, { detailKey }]) => (detailKey ? [[detailKey, null]] : [])))
const current = {
  ...unset,
  course_uuid: 'u',
  course_name: 'Welding',
  course_number: 'W-1',
  category_uuid: 'g',
  is_certification_expire: 0,
  is_public: 1,
  description: 'Steel',
  price: 12.5,
  total_lessons: 3,
  templateDetails: [
    { template_uuid: 't1', template_name: 'One' },
    { template_uuid: 't2', template_name: 'Two' },
  ],
  badgeTemplateDetail: [{ template_uuid: 'b1', template_name: 'Badge' }],
  image_: 'a.png',
}
const detail = (more: object = {}) => courseDetailShape.parse({ ...current, ...more })
const hiddenFields: WantedFields = {
  certBodyUUID: 'body',
  moduleUUID: null,
  label1: null,
  label2: null,
  label3: null,
  label4: null,
  label5: null,
}

describe('a planned update', () => {
  test('sends all values of the course, replaced by those in the file', () => {
    const { input, faults, differences } = planUpdate(detail(), { ...hiddenFields, price: '99', total_lessons: null })
    expect(faults).toEqual([])
    expect(input).toEqual({
      name: 'Welding',
      certBodyUUID: 'body',
      category_uuid: 'g',
      courseNumber: 'W-1',
      is_certification_expire: '0',
      description: 'Steel',
      price: '99',
      is_public: '1',
    })
    expect(differences.filter(({ seen }) => seen)).toEqual([
      { key: 'lessons', before: '3', after: null, seen: true },
      { key: 'price', before: '12.5', after: '99', seen: true },
    ])
  })

  test('reports each field that cannot be read back and that the file omits, once and by its key', () => {
    const { faults } = planUpdate(detail({ course_languages: 'German' }), { label1: 'x', label2: null })
    expect(faults.map(({ where }) => where)).toEqual([
      'certificationBody',
      'languages',
      'modules',
      'label3',
      'label4',
      'label5',
    ])
  })

  test('reports fields that the service does not show, unless the file sets them', () => {
    const { competency: _, price: __, ...less } = { ...current, competency: 'Steel', price: 12.5 }
    const plan = (wanted: WantedFields) => planUpdate(courseDetailShape.parse(less), { ...hiddenFields, ...wanted })
    expect(plan({ name: 'New' }).faults.map(({ where }) => where)).toEqual(['competency', 'price'])
    const { faults, input } = plan({ name: 'New', competency: 'Steel', price: null })
    expect([faults, input.competency, input.price]).toEqual([[], 'Steel', undefined])
  })

  test('refuses to clear required fields, and names them by their keys in the file', () => {
    const { faults } = planUpdate(detail(), { ...hiddenFields, category_uuid: null, is_certification_expire: '1' })
    expect(faults).toContainEqual({ where: 'category', sentence: 'is required' })
    expect(faults).toContainEqual({ where: 'validity', sentence: 'is required when expires is true' })
  })

  test('sends the templates to add and the templates to remove', () => {
    const { input } = planUpdate(detail(), { ...hiddenFields, templateId: ['T2', 't3'], badgeTemplateId: ['b1'] })
    expect(input).toMatchObject({ template_add: ['t3'], template_remove_id: ['t1'] })
    expect(Object.keys(input).filter((name) => /badge|templateId/.test(name))).toEqual([])
  })
})

describe('the comparison of values', () => {
  test.each([
    ['price', '12.50', '12.5', true],
    ['price', '', '0', false],
    ['description', 'a\r\nb\n', 'a\nb', true],
    ['description', 'a', 'A', false],
    ['languages', 'x, y', 'Y,x', true],
    ['languages', 'x', 'x,y', false],
    ['competency_tags', 'a, b', 'a,b', true],
    ['competency_tags', 'a, b', 'b,a', false],
  ] as const)('in %s: %j and %j', (name, a, b, same) => {
    expect(sameValue(name, a, b)).toBe(same)
  })
})

describe('after a call that changes a course', () => {
  const plan = planUpdate(detail(), { ...hiddenFields, price: '99', total_lessons: '4' })
  const classify = (more: object) => checkUpdate(plan.differences, detail(more), plan.target)

  test('the course shows whether the change was applied', () => {
    expect(classify({ price: '99.0', total_lessons: 4 })).toBe('yes')
    expect(classify({})).toBe('no')
    expect(classify({ price: 99 })).toBe('in part')
    expect(classify({ price: 99, total_lessons: 5 })).toBe('in part')
    expect(
      checkUpdate(
        plan.differences.filter(({ seen }) => !seen),
        detail(),
        plan.target,
      ),
    ).toBe('undecidable')
  })

  test('the change is not sent again, and the course is read twice, if the outcome is unknown', async () => {
    const steps: string[] = []
    const result = await makeChange({
      async send() {
        steps.push('send')
        return withoutAnswer('unknown', 'ECONNRESET')
      },
      async readCourse() {
        steps.push('read')
        return detail(steps.length > 2 ? { price: 99, total_lessons: 4 } : {})
      },
      classify: (now) => checkUpdate(plan.differences, now, plan.target),
      mismatches: (now) => courseDifferences(now, plan.target).filter(({ seen }) => seen),
      clock: { ...systemClock, sleep: async () => {} },
    })
    expect(steps).toEqual(['send', 'read', 'read'])
    expect(result).toMatchObject({ happened: 'yes', mismatches: [] })
  })

  test('fields whose values differ from the requested ones are reported even if the call was accepted, including fields that the file does not name', async () => {
    const accepted: Outcome = { ...withoutAnswer('unknown', ''), class: 'accepted', status: 200, code: null }
    const result = await makeChange({
      send: async () => accepted,
      readCourse: async () => detail({ price: 99, total_lessons: 4, description: null, image_: null }),
      classify: () => 'yes',
      mismatches: (now) => courseDifferences(now, plan.target).filter(({ seen }) => seen),
      clock: { ...systemClock, sleep: async () => {} },
    })
    expect(result.mismatches.map(({ key }) => key)).toEqual(['description', 'image'])
  })

  test('an accepted change is reported as done even if the course cannot be read back', async () => {
    const result = await makeChange({
      send: async () => ({ ...withoutAnswer('unknown', ''), class: 'accepted' as const, status: 200 }),
      readCourse: () => Promise.reject(new Error('away')),
      classify: () => 'no',
      mismatches: () => [],
      clock: systemClock,
    })
    expect(result).toMatchObject({ happened: 'yes', readBackProblem: 'away' })
  })
})
