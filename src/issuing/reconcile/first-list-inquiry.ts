// Makes the service calls for the check before the first list of a course, and limits their number.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { CourseListItem } from '#src/issuer/courses/course-shapes.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import type { ReportSearch } from '#src/issuer/report/report-pages.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'

/** The maximum total number of calls in one inquiry. */
export const maxCalls = 22

export interface ReportAnswer {
  items: ReportItem[]
  /** Whether all matching items were received. */
  complete: boolean
  /** The total according to the service; null if the service does not report it. */
  total: number | null
}

export interface Inquiry {
  /** Returns the number of calls that may still be made. One call is reserved for the list of courses. */
  callsLeft(): number
  /** Reads the newest page of the whole report. */
  newest(): Promise<ReportAnswer>
  /** Reads the newest page of a search; null if the service refuses this search. */
  search(search: ReportSearch): Promise<ReportAnswer | null>
  /** Reads as many pages of the whole report as there are calls left. */
  walk(): Promise<ReportAnswer>
  /** Reads the course_name in the course's detail; null if there is none. */
  nameOf(course: string): Promise<string | null>
  /** Returns one page of the account's courses. It is requested at most once. */
  courses(): Promise<CourseListItem[]>
}

type InquiryIssuer = Pick<Issuer, 'reportPages' | 'courseDetail' | 'listCourses'>

export function openInquiry(issuer: InquiryIssuer, pageSize: number): Inquiry {
  let calls = 0
  let courses: CourseListItem[] | null = null
  const callsLeft = () => maxCalls - 1 - calls

  async function read(search: ReportSearch, maxPages: number): Promise<ReportAnswer> {
    const answer: ReportAnswer = { items: [], complete: false, total: null }
    const pages = issuer.reportPages({
      search: { ...search, issued_status_id: allStatusIds },
      sortBy: 'request_date',
      sortOrder: 'desc',
      recordsPerPage: pageSize,
      maxPages,
    })
    for await (const page of pages) {
      calls++
      answer.items.push(...page.items)
      answer.total ??= page.filteredRecords
      answer.complete = page.walk === 'complete'
    }
    return answer
  }

  return {
    callsLeft,
    newest: () => read({}, 1),
    async search(search) {
      try {
        return await read(search, 1)
      } catch (error) {
        // The same endpoint has just returned its newest page, so the refusal concerns this search, whatever its
        // status.
        if (!(error instanceof ServiceRefusedError) || error.status === 401) throw error
        calls++
        return null
      }
    },
    walk: () => read({}, Math.max(1, callsLeft())),
    async nameOf(course) {
      calls++
      return (await issuer.courseDetail(course)).course_name?.trim() || null
    },
    async courses() {
      if (courses) return courses
      courses = []
      for await (const page of issuer.listCourses({ recordsPerPage: 100, maxPages: 1 })) courses.push(...page.items)
      return courses
    },
  }
}
