// Reads courses from the service: all of them, one in detail, or one by its number.

import { z } from 'zod'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { Endpoint } from '../endpoint.ts'
import { type PagedQuery, type Pages, walkList } from '../lists/walk-list.ts'
import { readShape, WireError } from '../read-shape.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'
import { type CourseDetail, type CourseListItem, courseDetailShape, courseListItemShape } from './course-shapes.ts'

/**
 * The service's documentation mentions these two keys only as examples. Other keys may work, but an empty result for
 * them proves nothing.
 */
export interface CourseSearch {
  course_name?: string
  course_category?: string
  [other: string]: unknown
}

export interface Courses {
  /** Lists every course, page by page. Throws the errors of the reader, and WireError. */
  listCourses(query?: PagedQuery<CourseSearch>): Pages<CourseListItem>
  /**
   * @throws ServiceRefusedError (404 for an unknown uuid), WireError (also for the detail of a different course), and
   * the other errors of the reader
   */
  courseDetail(uuid: string): Promise<CourseDetail>
  /** Finds the course with exactly this number, or null. Throws the errors of the reader. */
  findCourseByNumber(courseNumber: string): Promise<CourseListItem | null>
}

export function openCourses(endpoints: { detail: Endpoint; list: Endpoint }, read: ServiceReader): Courses {
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
      // The parameter table calls it course_uuid, the example courseUUID.
      const body = JSON.stringify({ course_uuid: uuid, courseUUID: uuid })
      const { payload } = await read(detail, { ...routeTo('course-detail'), body })
      const { data } = readShape(z.looseObject({ data: courseDetailShape }), payload, detail.name, 'payload')
      // The detail is later written back under the requested uuid, so a different course must not be accepted.
      if (data.course_uuid !== null && data.course_uuid.trim().toLowerCase() !== uuid.trim().toLowerCase())
        throw new WireError(detail.name, 'payload.data.course_uuid', 'a different course from the one requested')
      return data
    },
    async findCourseByNumber(courseNumber) {
      const wanted = courseNumber.trim()
      // The number is not a documented search key of this list, so an empty result proves nothing. In that case all
      // courses are read.
      const foundBySearch = await findAmong(listCourses({ search: { course_number: wanted } }), wanted).catch(
        nullIfBadRequest,
      )
      return foundBySearch ?? (await findAmong(listCourses(), wanted))
    },
  }
}

function nullIfBadRequest(error: unknown): null {
  if (error instanceof ServiceRefusedError && error.status === 400) return null
  throw error
}
