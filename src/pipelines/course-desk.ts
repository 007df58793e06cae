// What a pipeline's course is, and whether it can issue right now. Answers are kept for a minute: approval changes in days.

import type { Clock } from '#src/time/clock.ts'

/** The part of the service client that is needed here. */
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

export interface CourseDesk {
  /** @throws CourseUnknownError when no course has the number */
  uuidOf(reference: CourseReference): Promise<string>
  /** Null when the course can issue, else a sentence that says why not. With `now` the service is asked, whatever it said a moment ago. */
  whyNotReady(uuid: string, options?: { now?: boolean }): Promise<string | null>
}

export class CourseUnknownError extends Error {
  override readonly name = 'CourseUnknownError'
}

const keptMs = 60_000
// The service calls them "Course approval status".
const approvalWords: Record<number, string> = { 1: 'approval is pending', 3: 'it is on hold', 4: 'it was rejected' }

export function openCourseDesk(source: CourseSource, clock: Clock): CourseDesk {
  const uuids = new Map<string, string>()
  const facts = new Map<string, { at: number; why: string | null }>()
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
      const kept = now ? undefined : facts.get(uuid)
      if (kept && clock.monotonicMs() - kept.at < keptMs) return kept.why
      const why = whyNotReady(await source.courseDetail(uuid))
      facts.set(uuid, { at: clock.monotonicMs(), why })
      return why
    },
  }
}

/** Only an approved (2) and enabled (1) course can issue. Pure. */
export function whyNotReady(course: Pick<CourseFacts, 'approval_status_id' | 'is_active'>): string | null {
  if (course.approval_status_id !== 2)
    return `the course is not approved by the certification body (${approvalWords[course.approval_status_id ?? 0] ?? 'unknown status'})`
  if (course.is_active !== 1) return 'the course is disabled; enable it'
  return null
}
