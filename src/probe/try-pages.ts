// Asks the report for larger and larger pages, until one comes shorter than it could be.

import { allStatusIds } from '#src/issuance/report-status.ts'
import type { ReportPageQuery, SingleReportPage } from '#src/issuer/report-page.ts'
import { ServiceRefusedError } from '#src/issuer/service-refused-error.ts'
import type { Findings } from '#src/ledger/probes.ts'
import { type AskedPage, largestPage } from './verdicts.ts'

/** Up to the largest that the setting reconcile.pageSize takes. */
const sizes = [10, 100, 200, 500, 1_000, 2_000, 5_000]

export async function tryPages(read: (query: ReportPageQuery) => Promise<SingleReportPage>): Promise<Findings['page']> {
  const pages: AskedPage[] = []
  for (const asked of sizes) {
    const page = await readOrRefused(read, asked)
    if (!page) return refusedAbove(pages)
    const { items, filteredRecords, recordsPerPage } = page
    pages.push({ asked, came: items.length, matching: filteredRecords, pager: recordsPerPage })
    const judged = largestPage(pages)
    if ('found' in judged && judged.found.capped) return judged
  }
  return largestPage(pages)
}

async function readOrRefused(read: (query: ReportPageQuery) => Promise<SingleReportPage>, recordsPerPage: number) {
  try {
    return await read({ search: { issued_status_id: allStatusIds }, spelling: 'both', recordsPerPage })
  } catch (error) {
    if (error instanceof ServiceRefusedError) return null
    throw error
  }
}

/** A wish that is refused caps the page at the size that was taken before it. */
function refusedAbove(pages: readonly AskedPage[]): Findings['page'] {
  const last = pages.at(-1)
  if (!last) return { undetermined: 'the report was refused when a page size was named' }
  const seenBy = last.came >= last.asked ? 'rows' : 'pager'
  return { found: { largest: last.asked, seenBy, capped: true } }
}
