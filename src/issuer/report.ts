// The credential report, page by page.

import type { Endpoint } from './endpoint.ts'
import { type ListQuery, listBody, readPage } from './list-request.ts'
import type { Reader } from './reader.ts'
import { routeTo } from './routes.ts'
import { type Page, walkPages } from './walk-pages.ts'
import { type ReportItem, reportItemShape } from './wire.ts'

/** First and last day, YYYY-MM-DD. That both belong to it, and that one may be left out, is not documented. */
export interface DayRange {
  start?: string
  end?: string
}

/** The search keys that the service names for the report. How it compares each (whole, part, case) is not documented. */
export interface ReportSearch {
  certificate_name?: string
  name?: string
  /** Of the request date, as far as it is shown. */
  date_range?: DayRange
  /** 1 ready to issue, 2 and 5 in progress, 3 completed, 4 rejected, 6 in queue, 7 failed, 8 not requested. */
  issued_status_id?: readonly number[]
  email_?: string
  contact_number?: string
  batch_name?: string
  valid_till?: string
  issue_date?: DayRange
  credential_id?: string
  reg_no?: string
  uid?: string
  cert_no?: string
  unique_no?: string
  membership_id?: string
}

export interface ReportQuery extends Omit<ListQuery, 'search'> {
  search?: ReportSearch
  /** Items to ask for at once; the service may give fewer. Default 100. */
  recordsPerPage?: number
  /** The walk is cut after so many pages. Default 1000. */
  maxPages?: number
}

export type ReportPage = Page<ReportItem>

/** Reads the report until it is complete or cut (see Page.walk). Throws what Reader throws, and WireError. */
export function openReport(endpoint: Endpoint, read: Reader): (query: ReportQuery) => AsyncIterable<ReportPage> {
  return (query) =>
    walkPages({
      async fetch(pageNumber, recordsPerPage) {
        const { search, ...order } = query
        const body = listBody({ ...order, ...(search && { search: { ...search } }) }, pageNumber, recordsPerPage)
        return readPage(reportItemShape, await read(endpoint, { ...routeTo('report'), body }), endpoint.name)
      },
      identify,
      recordsPerPage: query.recordsPerPage ?? 100,
      maxPages: query.maxPages ?? 1_000,
    })
}

// certificate_path is a link made anew for each answer, so a page given twice differs in it.
function identify(item: ReportItem): string {
  return item.entity_uuid ?? JSON.stringify({ ...item, certificate_path: null })
}
