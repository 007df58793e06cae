// Builds the request that creates a course from a file, and lists everything that is wrong with it. Pure.

import { checkCourseInput } from '#src/issuer/courses/check-course-input.ts'
import type { CourseInput } from '#src/issuer/courses/course-fields.ts'
import type { CourseFault } from './course-file-error.ts'
import { inFileKeys } from './course-keys.ts'
import type { WantedFields } from './wanted-course.ts'

/** Empty values are not sent: the fields of a new course are empty already. */
export function planCreate(wanted: WantedFields): { input: CourseInput; faults: CourseFault[] } {
  const input = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null)) as CourseInput
  return { input, faults: faultsIn(input, 'create') }
}

/** Checks the rules of the service's parameter table and reports faults by the keys of the file. */
export function faultsIn(input: CourseInput, purpose: 'create' | 'update'): CourseFault[] {
  return checkCourseInput(input, purpose).map((sentence) => {
    const [where = '', ...rest] = inFileKeys(sentence).split(' ')
    return { where, sentence: rest.join(' ') }
  })
}
