// The course that a file makes, or all that is wrong with it. Pure.

import { checkCourseInput } from '#src/issuer/check-course-input.ts'
import type { CourseInput } from '#src/issuer/course-fields.ts'
import type { CourseFault } from './course-file-error.ts'
import { inKeys } from './course-keys.ts'
import type { WantedFields } from './wanted-course.ts'

/** What is empty is not sent: a new course has nothing there in any case. */
export function planCreate(wanted: WantedFields): { input: CourseInput; faults: CourseFault[] } {
  const input = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null)) as CourseInput
  return { input, faults: faultsIn(input, 'create') }
}

/** By the rules of the service's parameter table, in the words of the file. */
export function faultsIn(input: CourseInput, purpose: 'create' | 'update'): CourseFault[] {
  return checkCourseInput(input, purpose).map((sentence) => {
    const [where = '', ...rest] = inKeys(sentence).split(' ')
    return { where, sentence: rest.join(' ') }
  })
}
