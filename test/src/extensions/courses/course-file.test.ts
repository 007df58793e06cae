// Course files: the mapping of keys to fields, parsing, faults, and the file that is written from a course.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { courseKeys, fieldOfKey } from '#src/extensions/courses/course-keys.ts'
import { courseYaml } from '#src/extensions/courses/course-yaml.ts'
import { parseCourseFile, readCourseFile } from '#src/extensions/courses/read-course-file.ts'
import { courseFieldList } from '#src/issuer/courses/course-fields.ts'
import { courseDetailShape } from '#src/issuer/courses/course-shapes.ts'

const read = (text: string) => {
  const parsed = parseCourseFile(text)
  return 'file' in parsed ? parsed.file : parsed.faults.map(({ where, sentence }) => `${where} ${sentence}`)
}

describe('a course file', () => {
  test('has a key for every field of the service, except the lists that add and remove templates', () => {
    const filled: string[] = Object.values(fieldOfKey)
    expect(new Set(filled).size).toBe(filled.length)
    expect(courseFieldList.map(([name]) => name).filter((name) => !filled.includes(name))).toEqual([
      'template_add',
      'template_remove_id',
      'badge_template_add',
      'badge_template_remove_id',
    ])
  })

  test('normalizes the different spellings of a value, and converts empty values to null', () => {
    expect(read('expires: true\nvalidityUnit: Year\ndurationUnit: MONTHS\nprice: 12.5\nvalidity: "2"')).toEqual({
      expires: 1,
      validityUnit: 'YEAR',
      durationUnit: 'MONTH',
      price: '12.5',
      validity: '2',
    })
    expect(read('competencyTags: [a, b]\nlabel1:\nlabel2: ""\nmodules: []\npublic: null')).toEqual({
      competencyTags: 'a, b',
      label1: null,
      label2: null,
      modules: null,
      public: null,
    })
  })

  test.each([
    ['price: much', 'price is not a number'],
    ['validityUnit: weeks', 'validityUnit is not one of years, months'],
    ['number: 7', 'number is not text; put a number in quotes'],
    ['public: 1', 'public is not true or false'],
    [
      'templates: []',
      'templates names no template; a course has at least one, and a key that is left out changes nothing',
    ],
    ['image: null', 'image cannot be emptied by a change; `credsync courses remove-logo` removes an image'],
    ['certBodyUUID: x', 'certBodyUUID is called certificationBody in a course file'],
    ['langauges: [German]', 'langauges is not a key of a course; did you mean languages?'],
    ['- name', 'the file is not a list of keys and values, such as `name: Welding`'],
    ['', 'the file is not a list of keys and values, such as `name: Welding`'],
    ['name: a\nname: b', 'the file is neither YAML nor JSON (DUPLICATE_KEY at line 2)'],
  ])('with %j is reported as faulty', (text, fault) => {
    expect(read(text)).toEqual([fault])
  })

  test('that does not exist is reported with its path', async () => {
    await expect(readCourseFile('/nowhere/course.yaml')).rejects.toThrow(
      /course file \/nowhere\/course\.yaml has a fault.*\n {2}- the file: cannot be read \(ENOENT\)/,
    )
  })

  test('written from a course contains its values, even with special characters', () => {
    const textFields = {
      description: '<p>a: b</p>\r\n\n  # no comment\u001b[2J\n',
      content: 'null',
      competency: '- 1\n',
      price: '007.50',
    }
    const detail = courseDetailShape.parse({
      course_name: 'yes',
      course_number: '0012',
      is_public: 0,
      is_certification_expire: 1,
      certification_validity_duration_type: 'MONTH',
      category_uuid: 'g',
      course_category: 'two\nlines: \u001b[2Jx',
      course_includes: ['a, b', '{c}'],
      course_languages: [{ language_uuid: '0a1b2c3d-4e5f-4607-8a9b-0c1d2e3f4a50', name: 'German' }],
      ...textFields,
    })
    expect(courseYaml(detail)).not.toContain('\u001b')
    expect(read(courseYaml(detail))).toEqual({
      name: 'yes',
      number: '0012',
      public: 0,
      expires: 1,
      validityUnit: 'MONTH',
      category: 'g',
      includes: ['a, b', '{c}'],
      languages: ['0a1b2c3d-4e5f-4607-8a9b-0c1d2e3f4a50'],
      ...textFields,
    })
  })

  test('is documented in docs/courses.md with every key and a valid example', () => {
    const page = readFileSync(join(resolve(import.meta.dirname, '../../../..'), 'docs/courses.md'), 'utf8')
    expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]).sort()).toEqual([...courseKeys].sort())
    const example = /^ {4}name: [^\n]*\n(?: {4}.*\n|\n)+/m.exec(page)?.[0].replace(/^ {4}/gm, '') ?? ''
    expect(read(example)).toMatchObject({ name: expect.any(String), validityUnit: 'YEAR' })
  })
})
