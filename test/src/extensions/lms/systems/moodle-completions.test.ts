// Which course of a Moodle site an inbound event is about.

import { expect, test } from 'vitest'
import { concerns } from '#src/extensions/lms/sync/courses-to-verify.ts'
import { isAbout } from '#src/extensions/lms/systems/moodle-completions.ts'

const course = { id: 5, idnumber: 'FIRE-1' }

test.each(['FIRE-1', '5', 'https://moodle.example.org/course/view.php?id=5', 'https://m.example/view.php?a=b&id=5'])(
  'an event that names the course as %s is about the course',
  (named) => {
    expect(isAbout({ course: named }, course)).toBe(true)
  },
)

test.each([
  ['another id that begins with the same digit', '51'],
  ['another id that ends with the same digit', '15'],
  ['another code that begins with the same letters', 'FIRE-10'],
  ['the address of another course', 'https://moodle.example.org/course/view.php?id=51'],
  ['an address with another parameter', 'https://moodle.example.org/course/view.php?uid=5'],
  ['an address that goes on', 'https://moodle.example.org/course/view.php?id=5&section=2'],
  ['no course', ''],
])('an event with %s is not about the course', (_, named) => {
  expect(isAbout({ course: named }, course)).toBe(false)
})

test('an event about a course that could not be looked up concerns the pipeline only if it has the same code', () => {
  const hint = (named: string) => ({ course: named, learner: {} }) as Parameters<typeof concerns>[0]
  const fivePipeline = { pipeline: 'spring', course: '5' } as Parameters<typeof concerns>[2]
  const lookupFailed = { course: undefined, failure: 'The Moodle site does not answer.' }
  const noCourse = { course: null, failure: 'It has no such course.' }
  expect(['5', '51'].map((named) => concerns(hint(named), lookupFailed, fivePipeline))).toEqual(['yes', 'perhaps'])
  expect(['5', '51'].map((named) => concerns(hint(named), noCourse, fivePipeline))).toEqual(['yes', 'no'])
})
