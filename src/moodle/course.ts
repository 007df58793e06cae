// Finds a course by the ID number that the people of the LMS gave it.

import { z } from 'zod'
import type { Call } from './call.ts'
import { decodeEntities } from './html.ts'
import { MoodleRecordError } from './moodle-record-error.ts'

export interface MoodleCourse {
  id: number
  /** The ID number that it was found by. */
  idnumber: string
  /** As people read it, without entities. With the multi-language filter the markup of all languages is in it, since texts are asked for raw. */
  fullname: string
  shortname: string
}

const courses = z.object({
  courses: z.array(z.object({ id: z.int().positive(), fullname: z.string(), shortname: z.string() })),
})

const name = 'core_course_get_courses_by_field'

/**
 * The course with this ID number; null when there is none, or none that the account may see. The answer does not repeat the ID number
 * unless the account may edit the course, so the filter of Moodle is trusted. An empty ID number finds nothing: Moodle would
 * find every course that has none.
 */
export async function courseByIdnumber(call: Call, idnumber: string): Promise<MoodleCourse | null> {
  if (idnumber === '') return null
  const found = (await call(name, { field: 'idnumber', value: idnumber }, courses)).courses
  if (found.length > 1) throw new MoodleRecordError(name, 'severalmatch')
  const course = found[0]
  if (!course) return null
  // The raw setting is a wish: Moodle and its plugins escape some texts all the same.
  return {
    id: course.id,
    idnumber,
    fullname: decodeEntities(course.fullname),
    shortname: decodeEntities(course.shortname),
  }
}
