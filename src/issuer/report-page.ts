// One page of the credential report, asked for exactly so: a probe finds out what a spelling, a key or a page size does.

import type { Endpoint } from './endpoint.ts'
import { readPage } from './list-request.ts'
import { readShape } from './read-shape.ts'
import type { Reader } from './reader.ts'
import { routeTo } from './routes.ts'
import { pagerShape, type ReportItem, reportItemShape } from './wire.ts'

export interface ReportPageQuery {
  search: Record<string, unknown>
  /** Under which name the search travels; everywhere else in the house it travels under both. */
  spelling: 'search' | '_search' | 'both'
  recordsPerPage: number
}

export interface SingleReportPage {
  items: ReportItem[]
  filteredRecords: number | null
  /** What the pager says a page holds; null when it does not say. */
  recordsPerPage: number | null
}

/** The first page, most recent requests first. Throws what Reader throws, and WireError. */
export type ReadReportPage = (query: ReportPageQuery) => Promise<SingleReportPage>

export function openReportPage(endpoint: Endpoint, read: Reader): ReadReportPage {
  return async ({ search, spelling, recordsPerPage }) => {
    const text = JSON.stringify(search)
    const body = JSON.stringify({
      pageNumber: 1,
      recordsPerPage,
      ...(spelling !== '_search' && { search: text }),
      ...(spelling !== 'search' && { _search: text }),
      sortBy: 'request_date',
      sortOrder: 'desc',
    })
    const envelope = await read(endpoint, { ...routeTo('report'), body })
    const { items, filteredRecords } = readPage(reportItemShape, envelope, endpoint.name)
    const pager = readShape(pagerShape.nullish(), envelope.pager, endpoint.name, 'pager')
    return { items, filteredRecords, recordsPerPage: pager?.recordsPerPage ?? null }
  }
}
