// The input for creating or changing a course, and reading a course's current values back from its detail.

import { describe, expect, test } from 'vitest'
import { checkCourseInput } from '#src/issuer/courses/check-course-input.ts'
import { type CourseInput, courseFieldList } from '#src/issuer/courses/course-fields.ts'
import { readBackCourse } from '#src/issuer/courses/course-read-back.ts'
import { courseDetailShape } from '#src/issuer/courses/course-shapes.ts'

const minimal: CourseInput = {
  name: 'n',
  certBodyUUID: 'b',
  category_uuid: 'g',
  courseNumber: 'W',
  is_certification_expire: 0,
  description: 'd',
  is_public: 1,
}
const fresh = { ...minimal, templateId: ['t'], badgeTemplateId: ['b'] }

describe('checkCourseInput', () => {
  test('finds no fault in valid input', () => {
    expect(checkCourseInput(fresh, 'create')).toEqual([])
    expect(checkCourseInput(minimal, 'update')).toEqual([])
  })

  test.each<[string, CourseInput, string]>([
    ['a missing field', { ...fresh, name: undefined }, 'name is required'],
    ['an empty field', { ...fresh, courseNumber: '' }, 'courseNumber is required'],
    ['no template', { ...fresh, templateId: [] }, 'templateId is required'],
    ['an unknown unit', { ...fresh, duration_type: 'WEEK' }, 'duration_type must be HOUR or DAY or MONTH or YEAR'],
    ['text instead of a number', { ...fresh, price: 'much' }, 'price must be a number'],
    [
      'text instead of a list',
      { ...fresh, includes: 'x' as unknown as string[] },
      'includes must be a list of strings',
    ],
    [
      'an image of an unsupported type',
      { ...fresh, image: { bytes: Buffer.from('x'), contentType: 'image/gif' as 'image/png' } },
      'image must be a jpg, jpeg or png image of at least one byte',
    ],
    [
      'a field that is only for a change',
      { ...fresh, template_add: ['x'] },
      'template_add is only for changing a course',
    ],
    ['an unknown key', { ...fresh, 'jo@x.example': 1 } as CourseInput, 'a field is not a course field of the service'],
  ])('reports %s', (_what, input, fault) => {
    const faults = checkCourseInput(input, 'create')
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(fault)
    expect(faults[0]).not.toContain('jo@x')
  })

  test('requires validity and recertification only for a course that expires', () => {
    const faults = checkCourseInput({ ...fresh, is_certification_expire: '1' }, 'create')
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'certificate_validity_duration_type',
      'certificate_validity_duration',
      'recertification',
    ])
  })

  test('refuses, in an update, the template fields that only a new course takes', () => {
    expect(checkCourseInput(fresh, 'update').join()).toMatch(
      /templateId is only for creating a course.*badgeTemplateId is only/,
    )
  })
})

describe('readBackCourse', () => {
  const read = (detail: Record<string, unknown>) => readBackCourse(courseDetailShape.parse(detail))

  test('returns every field that the detail shows, under the name by which it is sent', () => {
    const { fields } = read({
      course_name: 'Welding',
      course_number: 7,
      is_certification_expire: 1,
      certificate_validity_duration: 2,
      certification_validity_duration_type: 'YEAR',
      price: '12.50',
      is_public: 0,
      content: '',
      duration: null,
      course_includes: ['a', 'b'],
      competency_tags: ['x', 'y'],
      templateDetails: [{ template_uuid: 't' }],
    })
    expect(fields).toEqual({
      name: 'Welding',
      courseNumber: '7',
      is_certification_expire: '1',
      certificate_validity_duration: '2',
      certificate_validity_duration_type: 'YEAR',
      price: '12.50',
      is_public: '0',
      includes: ['a', 'b'],
      competency_tags: 'x,y',
    })
  })

  test('lists the fields that the detail does not show', () => {
    const labels = ['label1', 'label2', 'label3', 'label4', 'label5']
    const unset = Object.fromEntries(
      courseFieldList.flatMap(([, { detailKey }]) => (detailKey ? [[detailKey, null]] : [])),
    )
    expect(read(unset).unreadable).toEqual(['certBodyUUID', 'moduleUUID', ...labels])
  })

  test('treats null as empty, and an absent key as unreadable', () => {
    const shown = { competency: null, competency_tags: null, course_includes: '', course_languages: [] }
    const missing = read(shown).unreadable
    for (const name of ['competency', 'competency_tags', 'includes', 'languages'] as const) {
      expect(missing).not.toContain(name)
      expect(read({}).unreadable).toContain(name)
    }
  })

  test('treats the validity as empty if either spelling is null', () => {
    const { unreadable } = read({ certificate_validity_duration: null, certification_validity_duration_type: null })
    expect(unreadable.filter((name) => name.startsWith('certificate_validity'))).toEqual([])
  })

  const uuid = '0a1b2c3d-4e5f-4607-8a9b-0c1d2e3f4a50'
  test.each<[string, unknown, string | undefined]>([
    ['uuids with commas', `${uuid}, ${uuid}`, `${uuid}, ${uuid}`],
    ['a list of items', [{ language_uuid: uuid, name: 'German' }], uuid],
    ['a list of uuids', [uuid, uuid], `${uuid},${uuid}`],
    ['names', 'German', undefined],
    ['a list of names', ['English', 'German'], undefined],
    ['a JSON array of names in a string', '["English","German"]', undefined],
    ['items whose uuid is a name', [{ language_uuid: 'German' }], undefined],
    ['a list of names in objects', [{ name: 'German' }], undefined],
    ['an object', { de: true }, undefined],
  ])('reads languages shown as %s, or reports them as unreadable', (_what, course_languages, expected) => {
    const { fields, unreadable } = read({ course_languages })
    expect(fields.languages).toBe(expected)
    expect(unreadable.includes('languages')).toBe(expected === undefined)
  })

  test('reports a field that cannot be converted to text', () => {
    expect(read({ description: { html: 'x' }, course_includes: 'a, b' }).unreadable).toEqual(
      expect.arrayContaining(['description', 'includes']),
    )
  })
})

describe('the detail of a course', () => {
  test('accepts either spelling of the validity, and prefers the documented one', () => {
    const own = { certification_validity_duration: 1, certification_validity_duration_type: 'YEAR' }
    const other = { certificate_validity_duration: 6, certificate_validity_duration_type: 'MONTH' }
    const validity = (detail: object) => {
      const read = courseDetailShape.parse(detail)
      return [read.certification_validity_duration, read.certification_validity_duration_type]
    }
    expect([validity(own), validity(other), validity({ ...own, ...other })]).toEqual([
      ['1', 'YEAR'],
      ['6', 'MONTH'],
      ['1', 'YEAR'],
    ])
  })
})
