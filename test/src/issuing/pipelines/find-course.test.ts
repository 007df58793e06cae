// Finding a course by the argument of a command.

import { describe, expect, test } from 'vitest'
import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { CourseUnknownError } from '#src/issuing/pipelines/course-cache.ts'
import { findCourse } from '#src/issuing/pipelines/find-course.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const courses = [
  { course_uuid: uuid(1), course_number: 'WELD-1', course_name: 'Welding' },
  { course_uuid: uuid(2), course_number: 'Welding', course_name: 'Brazing' },
  { course_uuid: uuid(3), course_number: 'X-1', course_name: 'Twice' },
  { course_uuid: uuid(4), course_number: 'X-2', course_name: 'Twice' },
]

function find(word: string, walk: 'complete' | 'cut' = 'complete') {
  let listCalls = 0
  const spring = { courseNumber: 'X-1' } as PipelineSettings
  const found = findCourse(word, {
    pipelines: openPipelines({ spring }),
    cache: {
      uuidOf: async ({ courseNumber }) =>
        courses.find((course) => course.course_number === courseNumber)?.course_uuid ?? '',
    },
    async *listCourses() {
      listCalls++
      yield { items: courses, walk }
    },
  })
  return found.then((course) => ({ uuid: course.uuid, pipeline: course.pipeline === spring, listCalls }))
}

describe('a course', () => {
  test.each<[string, string, boolean, number]>([
    [uuid(9), uuid(9), false, 0],
    ['spring', uuid(3), true, 0],
    [' WELD-1 ', uuid(1), false, 1],
    ['Welding', uuid(2), false, 1],
    ['Brazing', uuid(2), false, 1],
  ])('is found by %j', async (word, expected, pipeline, listCalls) => {
    expect(await find(word)).toEqual({ uuid: expected, pipeline, listCalls })
  })

  test.each<[string, RegExp, 'complete' | 'cut']>([
    ['weld-1', /Did you mean “WELD-1”\?/, 'complete'],
    ['sprng', /Did you mean “spring”\?/, 'complete'],
    ['Twice', /2 courses are called “Twice”\. Give the number of the right one: X-1, X-2/, 'complete'],
    ['qqqqqq', /Give a course's number, its uuid/, 'complete'],
    ['weld-1', /listed only some of its courses: give the course's uuid/, 'cut'],
    ['__proto__', /No course and no pipeline/, 'complete'],
  ])('is not found by %j, and the error says what to do', async (word, words, walk) => {
    const finding = find(word, walk)
    await expect(finding).rejects.toThrow(words)
    await expect(finding).rejects.toBeInstanceOf(CourseUnknownError)
  })
})
