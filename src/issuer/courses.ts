// Courses as they stand: all of them, one in detail, or one found by its number.

import { z } from 'zod'
import { type CourseDetail, type CourseListItem, courseDetailShape, courseListItemShape } from './course-shapes.ts'
import type { Endpoint } from './endpoint.ts'
import { type PagedQuery, type Pages, walkList } from './list.ts'
import { readShape } from './read-shape.ts'
import type { Reader } from './reader.ts'
import { routeTo } from './routes.ts'
import { ServiceRefusedError } from './service-refused-error.ts'
import { WireError } from './wire-error.ts'

/** The document names these two "such as"; other keys are tried at the caller's risk, and an empty result then proves nothing. */
export interface CourseSearch {
  course_name?: string
  course_category?: string
  [other: string]: unknown
}

export interface Courses {
  /** Every course, page by page. Throws what Reader throws, and WireError. */
  listCourses(query?: PagedQuery<CourseSearch>): Pages<CourseListItem>
  /** Throws ServiceRefusedError (404 for an unknown uuid), WireError (for another course's detail too), and what else Reader throws. */
  courseDetail(uuid: string): Promise<CourseDetail>
  /** The course whose number is exactly this, or null. Throws what Reader throws. */
  findCourseByNumber(courseNumber: string): Promise<CourseListItem | null>
}

export function openCourses(endpoints: { detail: Endpoint; list: Endpoint }, read: Reader): Courses {
  const { detail, list } = endpoints
  const listCourses = (query: PagedQuery<CourseSearch> = {}) =>
    walkList(
      list,
      read,
      { name: 'course-list', item: courseListItemShape, uuid: (course) => course.course_uuid },
      query,
    )

  async function findAmong(pages: Pages<CourseListItem>, wanted: string): Promise<CourseListItem | null> {
    for await (const page of pages) {
      const found = page.items.find((course) => course.course_number?.trim() === wanted)
      if (found) return found
    }
    return null
  }

  return {
    listCourses,
    async courseDetail(uuid) {
      // The parameter table names it course_uuid, the example courseUUID.
      const body = JSON.stringify({ course_uuid: uuid, courseUUID: uuid })
      const { payload } = await read(detail, { ...routeTo('course-detail'), body })
      const { data } = readShape(z.looseObject({ data: courseDetailShape }), payload, detail.name, 'payload')
      // What is read here is written back under the uuid that was asked for: another course must not be taken for this one.
      if (data.course_uuid !== null && data.course_uuid.trim().toLowerCase() !== uuid.trim().toLowerCase())
        throw new WireError(detail.name, 'payload.data.course_uuid', 'another course than the one asked for')
      return data
    },
    async findCourseByNumber(courseNumber) {
      const wanted = courseNumber.trim()
      // The number is not among the search keys named for this list, so no result and no answer prove anything: look at all.
      const searched = await findAmong(listCourses({ search: { course_number: wanted } }), wanted).catch(
        unlessBadRequest,
      )
      return searched ?? (await findAmong(listCourses(), wanted))
    },
  }
}

function unlessBadRequest(error: unknown): null {
  if (error instanceof ServiceRefusedError && error.status === 400) return null
  throw error
}
