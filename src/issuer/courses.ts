// Courses: one in detail, or one found by its number.

import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { listBody, readPage } from './list-request.ts'
import { readShape } from './read-shape.ts'
import type { Reader } from './reader.ts'
import { walkPages } from './walk-pages.ts'
import { type CourseDetail, type CourseListItem, courseDetailShape, courseListItemShape } from './wire.ts'

export interface Courses {
  /** Throws ServiceRefusedError (404 for an unknown uuid) and what else Reader throws. */
  courseDetail(uuid: string): Promise<CourseDetail>
  /** The course whose number is exactly this, or null. Throws what Reader throws. */
  findCourseByNumber(courseNumber: string): Promise<CourseListItem | null>
}

const recordsPerPage = 100
const maxPages = 500

export function openCourses(endpoints: { detail: Endpoint; list: Endpoint }, read: Reader): Courses {
  const { detail, list } = endpoints

  async function findAmong(
    search: Record<string, unknown> | undefined,
    wanted: string,
  ): Promise<CourseListItem | null> {
    const pages = walkPages({
      async fetch(pageNumber, size) {
        const body = listBody(search ? { search } : {}, pageNumber, size)
        const envelope = await read(list, { method: 'POST', path: '/api/institute/v1/course/list', body })
        return readPage(courseListItemShape, envelope, list.name)
      },
      identify: (course) => course.course_uuid ?? JSON.stringify(course),
      recordsPerPage,
      maxPages,
    })
    for await (const page of pages) {
      const found = page.items.find((course) => course.course_number?.trim() === wanted)
      if (found) return found
    }
    return null
  }

  return {
    async courseDetail(uuid) {
      // The parameter table names it course_uuid, the example courseUUID.
      const body = JSON.stringify({ course_uuid: uuid, courseUUID: uuid })
      const { payload } = await read(detail, { method: 'POST', path: '/api/institute/v3/course/detail', body })
      const { data } = readShape(z.looseObject({ data: courseDetailShape }), payload, detail.name, 'payload')
      return data
    },
    async findCourseByNumber(courseNumber) {
      const wanted = courseNumber.trim()
      // The number is not among the search keys named for this list, so an empty result proves nothing: look at all.
      return (await findAmong({ course_number: wanted }, wanted)) ?? (await findAmong(undefined, wanted))
    },
  }
}
