// Reads a course from Moodle by the ID number that the site's administrators assigned to it.

import { z } from 'zod'
import type { MoodleCall } from './call.ts'
import { decodeEntities } from './html.ts'
import { MoodleRecordError } from './moodle-error.ts'

export interface MoodleCourse {
  id: number
  /** The ID number that was searched for. */
  idnumber: string
  /** With HTML entities decoded. Names are requested raw, so it may be written in several languages, with the tags of Moodle's filters. */
  fullname: string
  shortname: string
  /**
   * True when the course has separate groups: an account that is in none of them sees no one, unless its role may see
   * all groups.
   */
  separateGroups?: boolean
}

const courses = z.object({
  courses: z.array(
    z.object({ id: z.int().positive(), fullname: z.string(), shortname: z.string(), groupmode: z.number().nullish() }),
  ),
})

const separateGroups = 1
const coursesFunction = 'core_course_get_courses_by_field'

/**
 * Returns the course with this ID number; null when the account can see no such course. The response includes the ID
 * number only for accounts that may edit the course, so Moodle's filter is trusted. An empty ID number finds nothing:
 * Moodle would return every course that has no ID number.
 */
export async function courseByIdnumber(call: MoodleCall, idnumber: string): Promise<MoodleCourse | null> {
  if (idnumber === '') return null
  const found = (await call(coursesFunction, { field: 'idnumber', value: idnumber }, courses)).courses
  if (found.length > 1) throw new MoodleRecordError(coursesFunction, 'severalcourses')
  const course = found[0]
  if (!course) return null
  // Moodle and its plugins escape some names even with the raw setting.
  return {
    id: course.id,
    idnumber,
    fullname: decodeEntities(course.fullname),
    shortname: decodeEntities(course.shortname),
    ...(course.groupmode === separateGroups && { separateGroups: true }),
  }
}
