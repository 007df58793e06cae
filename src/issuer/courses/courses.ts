// Reads courses from the service: all of them, one in detail, or one by its number.

import { z } from 'zod'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { sameUuid } from '#src/platform/uuid.ts'
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

type CourseEndpoints = Record<'course-detail' | 'course-list', Endpoint>

export function openCourses(endpoints: CourseEndpoints, read: ServiceReader) {
  /** Lists every course, page by page. Throws the errors of the reader, and WireError. */
  const listCourses = (query: PagedQuery<CourseSearch> = {}): Pages<CourseListItem> => {
    const list = { name: 'course-list', item: courseListItemShape } as const
    return walkList(endpoints['course-list'], read, { ...list, uuid: (course) => course.course_uuid }, query)
  }

  async function findAmong(pages: Pages<CourseListItem>, wanted: string): Promise<CourseListItem | null> {
    for await (const page of pages) {
      const found = page.items.find((course) => course.course_number?.trim() === wanted)
      if (found) return found
    }
    return null
  }

  return {
    listCourses,
    /**
     * @throws ServiceRefusedError (404 for an unknown uuid), WireError (also for the detail of a different course), and
     * the other errors of the reader
     */
    async courseDetail(uuid: string): Promise<CourseDetail> {
      const detail = endpoints['course-detail']
      // The parameter table calls it course_uuid, the example courseUUID.
      const body = JSON.stringify({ course_uuid: uuid, courseUUID: uuid })
      const { payload } = await read(detail, { ...routeTo('course-detail'), body })
      const { data } = readShape(z.looseObject({ data: courseDetailShape }), payload, detail.name, 'payload')
      // The detail is later written back under the requested uuid, so a different course must not be accepted.
      if (data.course_uuid !== null && !sameUuid(data.course_uuid, uuid))
        throw new WireError(detail.name, 'payload.data.course_uuid', 'a different course from the one requested')
      return data
    },
    /** Finds the course with exactly this number, or null. Throws the errors of the reader. */
    async findCourseByNumber(courseNumber: string): Promise<CourseListItem | null> {
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
