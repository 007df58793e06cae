// Requests larger and larger pages of the report until a page is shorter than requested. Calls the service.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import type { ReportPageQuery, SingleReportPage } from '#src/issuer/report/single-report-page.ts'
import { ServiceRefusedError } from '#src/issuer/service-refused-error.ts'
import type { Findings } from '#src/ledger/probes.ts'
import { largestPage, type RequestedPage } from './derive-findings.ts'

/** The page sizes to try, up to the maximum of the setting reconcile.pageSize. */
const sizes = [10, 100, 200, 500, 1_000, 2_000, 5_000]

export async function tryPages(read: (query: ReportPageQuery) => Promise<SingleReportPage>): Promise<Findings['page']> {
  const pages: RequestedPage[] = []
  for (const requested of sizes) {
    const page = await readOrRefused(read, requested)
    if (!page) return refusedAbove(pages)
    const { items, filteredRecords, recordsPerPage } = page
    pages.push({ requested, received: items.length, matching: filteredRecords, pager: recordsPerPage })
    const result = largestPage(pages)
    if ('found' in result && result.found.capped) return result
  }
  return largestPage(pages)
}

async function readOrRefused(read: (query: ReportPageQuery) => Promise<SingleReportPage>, recordsPerPage: number) {
  try {
    return await read({ search: { issued_status_id: allStatusIds }, spelling: 'both', recordsPerPage, exactSize: true })
  } catch (error) {
    if (error instanceof ServiceRefusedError) return null
    throw error
  }
}

/** If the service refuses a page size, the largest page is the previous one. */
function refusedAbove(pages: readonly RequestedPage[]): Findings['page'] {
  const last = pages.at(-1)
  if (!last) return { undetermined: 'the report was refused when a page size was given' }
  const seenBy = last.received >= last.requested ? 'rows' : 'pager'
  return { found: { largest: last.requested, seenBy, capped: true } }
}
