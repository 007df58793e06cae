// The credential report, page by page.

import type { Endpoint } from './endpoint.ts'
import { type ListQuery, listBody, readPage } from './list-request.ts'
import type { Reader } from './reader.ts'
import { type Page, walkPages } from './walk-pages.ts'
import { type ReportItem, reportItemShape } from './wire.ts'

export interface ReportQuery extends ListQuery {
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
        const body = listBody(query, pageNumber, recordsPerPage)
        const path = '/api/certification/v1/certificate/student/report'
        return readPage(reportItemShape, await read(endpoint, { method: 'POST', path, body }), endpoint.name)
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
