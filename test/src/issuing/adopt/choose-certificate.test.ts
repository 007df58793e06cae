// The name under which the report is searched for a course: given by a user, seen before, or proposed.

import { describe, expect, test } from 'vitest'
import { chooseCertificate, type NamedCourses, uniqueCourseName } from '#src/issuing/adopt/unique-course-name.ts'

describe('the certificate name', () => {
  test.each([
    ['is the one that the user gives', { given: 'B', known: ['A'], courseName: null }, [], 'B', false],
    ['is the one that the ledger has seen', { given: undefined, known: ['A'], courseName: null }, [], 'A', false],
    ['is proposed from the name of the course', { given: undefined, known: [], courseName: 'A' }, [], 'A', true],
    [
      'is proposed from the name of the course if the ledger has seen several',
      { given: undefined, known: ['A', 'B'], courseName: 'B' },
      [],
      'B',
      true,
    ],
    [
      'is not proposed if another course was seen under it',
      { given: undefined, known: [], courseName: 'A' },
      ['x'],
      null,
      false,
    ],
    [
      'is unknown if several were seen and the course has none',
      { given: undefined, known: ['A', 'B'], courseName: null },
      [],
      null,
      false,
    ],
  ])('%s', (_, names, otherCourses, name, proposed) => {
    expect(chooseCertificate(names, otherCourses)).toEqual({ name, proposed, refusal: null })
  })

  test('given by a user is refused if another course was seen under it', () => {
    const choice = chooseCertificate({ given: 'A', known: [], courseName: null }, ['other-course'])
    expect(choice).toMatchObject({ name: null, refusal: expect.stringContaining('other-course') })
  })
})

function courses(nameInDetail: string | null, pages: string[][], end: 'complete' | 'cut' = 'complete'): NamedCourses {
  return {
    courseDetail: async () => ({ course_name: nameInDetail }),
    async *listCourses() {
      for (const [index, page] of pages.entries())
        yield {
          items: page.map((name) => ({ course_name: name })),
          walk: index === pages.length - 1 ? end : ('more' as const),
        }
    },
  }
}

describe('the unique name of a course', () => {
  test.each([
    ['is the one in its detail', courses('Welding', [['Welding'], ['Safety']]), 'Welding'],
    ['is null if the detail has a blank name', courses(' ', [['Welding']]), null],
    ['is null if another course has the same name', courses('Welding', [['Welding'], ['Safety', 'WELDING ']]), null],
    ['is null if the list of courses is incomplete', courses('Welding', [['Welding']], 'cut'), null],
    ['is null if the detail has no name', courses(null, [['Welding']]), null],
  ])('%s', async (_, service, name) => {
    expect(await uniqueCourseName(service, 'uuid')).toBe(name)
  })
})
