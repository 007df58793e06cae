// Reads exactly one page of the credential report with exactly the given parameters, so that a probe can test a
// spelling, a key or a page size.

import type { Endpoint } from '../endpoint.ts'
import { readListPage } from '../lists/list-request.ts'
import { readShape } from '../read-shape.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'
import { pagerShape, type ReportItem, reportItemShape } from '../wire-shapes.ts'

export interface ReportPageQuery {
  search: Record<string, unknown>
  /** The name under which the search is sent; all other callers send both. */
  spelling: 'search' | '_search' | 'both'
  recordsPerPage: number
  /**
   * If true, a page size that the service refuses is an error. Default false: a smaller size is requested instead.
   */
  exactSize?: boolean
}

export interface SingleReportPage {
  items: ReportItem[]
  filteredRecords: number | null
  /** The page size according to the pager; null if the pager does not report it. */
  recordsPerPage: number | null
}

/** Reads the first page, most recent requests first. Throws the errors of the reader, and WireError. */
export type ReadReportPage = (query: ReportPageQuery) => Promise<SingleReportPage>

export function openReportPage(endpoint: Endpoint, read: ServiceReader): ReadReportPage {
  return async ({ search, spelling, recordsPerPage, exactSize = false }) => {
    const text = JSON.stringify(search)
    const readPage = async (size: number | null) => {
      const body = JSON.stringify({
        pageNumber: 1,
        recordsPerPage: size ?? undefined,
        ...(spelling !== '_search' && { search: text }),
        ...(spelling !== 'search' && { _search: text }),
        sortBy: 'request_date',
        sortOrder: 'desc',
      })
      const envelope = await read(endpoint, { ...routeTo('report'), body })
      const { items, filteredRecords } = readListPage(reportItemShape, envelope, endpoint.name)
      const pager = readShape(pagerShape.nullish(), envelope.pager, endpoint.name, 'pager')
      return { items, filteredRecords, recordsPerPage: pager?.recordsPerPage ?? null }
    }
    return exactSize
      ? readPage(recordsPerPage)
      : (await endpoint.pageSize.readFirstPage(recordsPerPage, readPage)).found
  }
}
