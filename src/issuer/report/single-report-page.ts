// Reads exactly one page of the credential report.

import type { Endpoint } from '../endpoint.ts'
import { readListPage } from '../lists/list-request.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'
import { type ReportItem, reportItemShape } from '../wire-shapes.ts'

export interface ReportPageQuery {
  search: Record<string, unknown>
  recordsPerPage: number
}

export interface SingleReportPage {
  items: ReportItem[]
}

/** Reads the first page, most recent requests first. Throws the errors of the reader, and WireError. */
export type ReadReportPage = (query: ReportPageQuery) => Promise<SingleReportPage>

export function openReportPage(endpoint: Endpoint, read: ServiceReader): ReadReportPage {
  return async ({ search, recordsPerPage }) => {
    const text = JSON.stringify(search)
    const readPage = async (size: number | null) => {
      const body = JSON.stringify({
        pageNumber: 1,
        recordsPerPage: size ?? undefined,
        // The documentation has both spellings.
        search: text,
        _search: text,
        sortBy: 'request_date',
        sortOrder: 'desc',
      })
      const envelope = await read(endpoint, { ...routeTo('report'), body })
      return { items: readListPage(reportItemShape, envelope, endpoint.name).items }
    }
    return (await endpoint.pageSize.readFirstPage(recordsPerPage, readPage)).found
  }
}
