import { describe, expect, test } from 'vitest'
import { differenceTo, sameValue } from '#src/courses/course-difference.ts'
import { judgeUpdate, makeChange } from '#src/courses/make-change.ts'
import { planUpdate } from '#src/courses/plan-update.ts'
import type { WantedFields } from '#src/courses/wanted-course.ts'
import { courseFieldList } from '#src/issuer/course-fields.ts'
import { courseDetailShape } from '#src/issuer/course-shapes.ts'
import { type Outcome, withoutAnswer } from '#src/issuer/outcome.ts'
import { systemClock } from '#src/time/clock.ts'

// The service shows every field of a course; what is not set is null.
const unset = Object.fromEntries(courseFieldList.flatMap(([, { shown }]) => (shown ? [[shown, null]] : [])))
const held = {
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
const detail = (more: object = {}) => courseDetailShape.parse({ ...held, ...more })
const unseen: WantedFields = {
  certBodyUUID: 'body',
  moduleUUID: null,
  label1: null,
  label2: null,
  label3: null,
  label4: null,
  label5: null,
}

describe('a planned update', () => {
  test('sends all that the course has, with what the file names in its place', () => {
    const { input, faults, differences } = planUpdate(detail(), { ...unseen, price: '99', total_lessons: null })
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

  test('refuses to leave out what cannot be read back, and names it by its key, once', () => {
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

  test('refuses to leave out what the service does not show at all, unless the file says what it holds', () => {
    const { competency: _, price: __, ...less } = { ...held, competency: 'Steel', price: 12.5 }
    const plan = (wanted: WantedFields) => planUpdate(courseDetailShape.parse(less), { ...unseen, ...wanted })
    expect(plan({ name: 'New' }).faults.map(({ where }) => where)).toEqual(['competency', 'price'])
    const { faults, input } = plan({ name: 'New', competency: 'Steel', price: null })
    expect([faults, input.competency, input.price]).toEqual([[], 'Steel', undefined])
  })

  test('refuses to empty what every course has, in the words of the file', () => {
    const { faults } = planUpdate(detail(), { ...unseen, category_uuid: null, is_certification_expire: '1' })
    expect(faults).toContainEqual({ where: 'category', sentence: 'is required' })
    expect(faults).toContainEqual({ where: 'validity', sentence: 'is required when expires is true' })
  })

  test('sends templates as what to add and what to remove', () => {
    const { input } = planUpdate(detail(), { ...unseen, templateId: ['T2', 't3'], badgeTemplateId: ['b1'] })
    expect(input).toMatchObject({ template_add: ['t3'], template_remove_id: ['t1'] })
    expect(Object.keys(input).filter((name) => /badge|templateId/.test(name))).toEqual([])
  })
})

describe('what counts as the same', () => {
  test.each([
    ['price', '12.50', '12.5', true],
    ['price', '', '0', false],
    ['description', 'a\r\nb\n', 'a\nb', true],
    ['description', 'a', 'A', false],
    ['languages', 'x, y', 'Y,x', true],
    ['languages', 'x', 'x,y', false],
    ['competency_tags', 'a, b', 'a,b', true],
    ['competency_tags', 'a, b', 'b,a', false],
  ] as const)('in %s: %s and %s', (name, a, b, same) => {
    expect(sameValue(name, a, b)).toBe(same)
  })
})

describe('after a call that says nothing', () => {
  const plan = planUpdate(detail(), { ...unseen, price: '99', total_lessons: '4' })
  const judge = (more: object) => judgeUpdate(plan.differences, detail(more), plan.target)

  test('the course itself tells whether it was done', () => {
    expect(judge({ price: '99.0', total_lessons: 4 })).toBe('yes')
    expect(judge({})).toBe('no')
    expect(judge({ price: 99 })).toBe('in part')
    expect(judge({ price: 99, total_lessons: 5 })).toBe('in part')
    expect(
      judgeUpdate(
        plan.differences.filter(({ seen }) => !seen),
        detail(),
        plan.target,
      ),
    ).toBe('undecidable')
  })

  test('it is sent once and looked at twice', async () => {
    const did: string[] = []
    const end = await makeChange({
      async send() {
        did.push('send')
        return withoutAnswer('unknown', 'ECONNRESET')
      },
      async look() {
        did.push('look')
        return detail(did.length > 2 ? { price: 99, total_lessons: 4 } : {})
      },
      judge: (now) => judgeUpdate(plan.differences, now, plan.target),
      otherwise: (now) => differenceTo(now, plan.target).filter(({ seen }) => seen),
      clock: { ...systemClock, sleep: async () => {} },
    })
    expect(did).toEqual(['send', 'look', 'look'])
    expect(end).toMatchObject({ happened: 'yes', otherwise: [] })
  })

  test('a service that accepts and shows something else is told with the fields, also one that was not named', async () => {
    const accepted: Outcome = { ...withoutAnswer('unknown', ''), class: 'accepted', status: 200, code: null }
    const end = await makeChange({
      send: async () => accepted,
      look: async () => detail({ price: 99, total_lessons: 4, description: null, image_: null }),
      judge: () => 'yes',
      otherwise: (now) => differenceTo(now, plan.target).filter(({ seen }) => seen),
      clock: { ...systemClock, sleep: async () => {} },
    })
    expect(end.otherwise.map(({ key }) => key)).toEqual(['description', 'image'])
  })

  test('a look that fails after an accepted call does not make the call undone', async () => {
    const end = await makeChange({
      send: async () => ({ ...withoutAnswer('unknown', ''), class: 'accepted' as const, status: 200 }),
      look: () => Promise.reject(new Error('away')),
      judge: () => 'no',
      otherwise: () => [],
      clock: systemClock,
    })
    expect(end).toMatchObject({ happened: 'yes', unread: 'away' })
  })
})
