// Reads the credential report from the service: page by page, or only the first page.

import type { Endpoint } from '../endpoint.ts'
import { type ListQuery, listBody, readListPage, readWithPageSize } from '../lists/list-request.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'
import { type Page, walkPages } from '../walk-pages.ts'
import { type ReportItem, reportItemShape } from '../wire-shapes.ts'

/**
 * The first and the last day, as YYYY-MM-DD. It is not documented whether both are inclusive, or whether one may be
 * omitted.
 */
export interface DateFilter {
  start?: string
  end?: string
}

/**
 * The documented search keys of the report. How a value is compared is not documented: exactly or as a substring, with
 * or without regard to case.
 */
export interface ReportSearch {
  certificate_name?: string
  name?: string
  /** Filters by the request date, as far as the documentation shows. */
  date_range?: DateFilter
  /** 1 ready to issue, 2 and 5 in progress, 3 completed, 4 rejected, 6 in queue, 7 failed, 8 not requested. */
  issued_status_id?: readonly number[]
  email_?: string
  contact_number?: string
  batch_name?: string
  valid_till?: string
  issue_date?: DateFilter
  credential_id?: string
  reg_no?: string
  uid?: string
  cert_no?: string
  unique_no?: string
  membership_id?: string
}

export interface ReportQuery extends Omit<ListQuery, 'search'> {
  search?: ReportSearch
  /**
   * Items to request at a time. The service may return fewer; if it refuses this many, fewer are requested. Default
   * 100.
   */
  recordsPerPage?: number
  /** The walk is cut after this many pages. Default 1000. */
  maxPages?: number
  /** The page to start with; items of earlier pages count as seen. Default 1. */
  firstPage?: number
  /** Whether the next page is fetched while one is processed, from the fourth page on. Default false. */
  readsAhead?: boolean
}

export type ReportPage = Page<ReportItem>

/** Reads the report until it is complete or cut (see Page.walk). Throws the errors of the reader, and WireError. */
export function openReport(endpoint: Endpoint, read: ServiceReader): (query: ReportQuery) => AsyncIterable<ReportPage> {
  return ({ firstPage = 1, readsAhead = false, ...query }) =>
    walkPages({
      firstPage,
      fetch: (pageNumber, wanted) =>
        readWithPageSize(endpoint, pageNumber === firstPage, wanted, async (size) => {
          const { search, ...order } = query
          const body = listBody({ ...order, ...(search && { search: { ...search } }) }, pageNumber, size)
          return readListPage(reportItemShape, await read(endpoint, { ...routeTo('report'), body }), endpoint.name)
        }),
      identify,
      recordsPerPage: query.recordsPerPage ?? 100,
      maxPages: query.maxPages ?? 1_000,
      readsAhead,
    })
}

/** Reads the first page, the most recent requests first. Throws the errors of the reader, and WireError. */
export type ReadReportPage = (query: {
  search: Record<string, unknown>
  recordsPerPage: number
}) => Promise<{ items: ReportItem[] }>

export function openReportPage(endpoint: Endpoint, read: ServiceReader): ReadReportPage {
  return async ({ search, recordsPerPage }) => {
    const query = { search, sortBy: 'request_date', sortOrder: 'desc' } as const
    const { found } = await endpoint.pageSize.readFirstPage(recordsPerPage, async (size) => {
      const envelope = await read(endpoint, { ...routeTo('report'), body: listBody(query, 1, size) })
      return readListPage(reportItemShape, envelope, endpoint.name)
    })
    return { items: found.items }
  }
}

// certificate_path is generated for each answer, so it differs when the same page is read again.
function identify(item: ReportItem): string {
  return item.entity_uuid ?? JSON.stringify({ ...item, certificate_path: null })
}
