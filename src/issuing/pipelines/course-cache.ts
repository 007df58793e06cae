// Looks up a pipeline's course in the service and checks that it can issue. Results are cached for a minute; approvals
// take days, so a cached answer is rarely out of date.

import type { Clock } from '#src/platform/time/clock.ts'

/** The part of the service client that this cache needs. */
export interface CourseSource {
  courseDetail(uuid: string): Promise<CourseFacts>
  findCourseByNumber(courseNumber: string): Promise<{ course_uuid: string | null } | null>
}

export interface CourseFacts {
  course_name: string | null
  approval_status_id: number | null
  is_active: number | null
  templateDetails: { template_uuid: string | null }[]
  badgeTemplateDetail: { template_uuid: string | null }[]
}

export interface CourseReference {
  course?: string | undefined
  courseNumber?: string | undefined
}

export interface CourseCache {
  /** @throws CourseUnknownError if no course has the number */
  uuidOf(reference: CourseReference): Promise<string>
  /**
   * Returns null if the course can issue, otherwise a sentence that explains why not. With `now`, the cache is skipped
   * and the service is called.
   */
  whyNotReady(uuid: string, options?: { now?: boolean }): Promise<string | null>
}

export class CourseUnknownError extends Error {
  override readonly name = 'CourseUnknownError'
}

const cacheMs = 60_000
// The values of the service's "Course approval status".
const approvalText: Record<number, string> = { 1: 'approval is pending', 3: 'it is on hold', 4: 'it was rejected' }

export function openCourseCache(source: CourseSource, clock: Clock): CourseCache {
  const uuids = new Map<string, string>()
  const facts = new Map<string, { atMs: number; why: string | null }>()
  return {
    async uuidOf({ course, courseNumber }) {
      if (course) return course
      const number = courseNumber ?? ''
      const known = uuids.get(number)
      if (known) return known
      const found = await source.findCourseByNumber(number)
      if (!found?.course_uuid)
        throw new CourseUnknownError(
          `The service has no course with the number ${number}. Check courseNumber, or give the course's uuid as course.`,
        )
      uuids.set(number, found.course_uuid)
      return found.course_uuid
    },
    async whyNotReady(uuid, { now = false } = {}) {
      const cached = now ? undefined : facts.get(uuid)
      if (cached && clock.monotonicMs() - cached.atMs < cacheMs) return cached.why
      const why = whyNotReady(await source.courseDetail(uuid))
      facts.set(uuid, { atMs: clock.monotonicMs(), why })
      return why
    },
  }
}

/** Only a course that is approved (2) and enabled (1) can issue. Pure. */
export function whyNotReady(course: Pick<CourseFacts, 'approval_status_id' | 'is_active'>): string | null {
  if (course.approval_status_id !== 2)
    return `the course is not approved by the certification body (${approvalText[course.approval_status_id ?? 0] ?? 'unknown status'})`
  if (course.is_active !== 1) return 'the course is disabled; enable it'
  return null
}
