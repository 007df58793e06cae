// Simulates the service's report in memory for tests of the check before a first list. Some searches work; others are
// ignored, find nothing or are refused.

import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { ReportQuery } from '#src/issuer/report/report-pages.ts'
import { walkPages } from '#src/issuer/walk-pages.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import type { FirstListTools } from '#src/issuing/reconcile/check-first-list.ts'

type SearchBehavior = 'works' | 'case-sensitive' | 'ignored' | 'finds nothing' | 'refused' | 'forbidden'

export interface ReportServiceOptions {
  /** The items of the report, newest first. */
  items: readonly ReportItem[]
  /**
   * How the service searches by a key. The default, `works`, compares whole values and ignores case.
   */
  searches?: Partial<Record<string, SearchBehavior>>
  /** course_name of the course to look up. */
  name?: string | null
  /** Other courses of the account. */
  courses?: readonly string[]
}

export interface ReportService {
  issuer: FirstListTools['issuer']
  /** One entry for each call: `report`, the search key, `detail` or `courses`. */
  calls: string[]
}

export function reportService({
  items,
  searches = {},
  name = 'Welding',
  courses = [],
}: ReportServiceOptions): ReportService {
  const calls: string[] = []
  const normalized = (value: unknown) =>
    String(value ?? '')
      .trim()
      .toLowerCase()
  function found(search: Record<string, unknown>): readonly ReportItem[] {
    const [searchEntry] = Object.entries(search).filter(([key]) => key !== 'issued_status_id')
    calls.push(searchEntry?.[0] ?? 'report')
    if (!searchEntry) return items
    const [key, value] = searchEntry
    const behavior = searches[key] ?? 'works'
    if (behavior === 'refused') throw new ServiceRefusedError(400, 'report', 'no such key')
    if (behavior === 'forbidden') throw new ServiceRefusedError(403, 'report', 'not by this key')
    if (behavior === 'finds nothing') return []
    if (behavior === 'case-sensitive') return items.filter((item) => item[key] === value)
    return behavior === 'ignored' ? items : items.filter((item) => normalized(item[key]) === normalized(value))
  }
  const issuer = {
    reportPages: ({ search = {}, recordsPerPage = 100, maxPages = 1_000 }: ReportQuery) =>
      walkPages<ReportItem>({
        async fetch(page, size) {
          const all = found({ ...search })
          return {
            items: all.slice((page - 1) * (size ?? 10), page * (size ?? 10)),
            filteredRecords: all.length,
            totalRecords: items.length,
          }
        },
        identify: (item) => item.entity_uuid ?? '',
        recordsPerPage,
        maxPages,
      }),
    async courseDetail() {
      calls.push('detail')
      return { course_name: name }
    },
    async *listCourses() {
      calls.push('courses')
      yield { items: courses.map((course_name, at) => ({ course_name, course_uuid: `other-${at}` })) }
    },
  } as unknown as FirstListTools['issuer']
  return { issuer, calls }
}
