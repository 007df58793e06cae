// The endpoint of the credential report, which returns the status of every request, page by page.

import type { SandboxCall, SandboxEndpoint } from './call.ts'
import { linksFor } from './certificate-links.ts'
import type { CredentialRequest } from './credential-request.ts'
import { success } from './envelope.ts'
import { capPageSize } from './faults/capped-pages.ts'
import { draw } from './faults/draw.ts'
import { shuffledRuns } from './faults/moving-rows.ts'
import { faultyOrder } from './faults/revoked-order.ts'
import { searchedFields, searchedKeys } from './faults/searched-keys.ts'
import { pageOf, pagerOf, readPageQuery, sortedBy } from './page.ts'
import { type Fields, fieldsOf } from './read-body.ts'
import { type Links, type ReportField, reportFieldNames, reportFields } from './report-fields.ts'
import { readFilters } from './report-search.ts'
import { openReportView, type ReportView } from './report-view.ts'
import { indexedFields } from './request-store.ts'
import type { RouteContext } from './route-context.ts'

const path = '/api/certification/v1/certificate/student/report'

export function reportEndpoint(context: RouteContext): SandboxEndpoint {
  return { method: 'POST', path, admits: 'bearers', answer: (call) => ({ json: readReport(context, call) }) }
}

function readReport(context: RouteContext, { body, nth, origin }: SandboxCall) {
  const { settings, requests } = context
  // The default is newest first, as people expect of a report; the service's documentation does not say.
  const { faults, maxPage } = settings
  const order = { sortBy: 'request_date', sortOrder: 'desc' } as const
  const rules = { ...order, maxPage, maxRequested: faults.maxRecordsPerPage, sortable: reportFieldNames }
  const fields = searchedFields(fieldsOf(body), faults)
  const { served, reported } = capPageSize(readPageQuery(fields, rules), faults)
  const search = searchedKeys(served.search, faults)
  const filters = readFilters(search)
  const links = linksFor(context, origin)
  const view = openReportView(context, nth)

  const candidates = view.visible(narrowed(context, search))
  const found =
    filters.length === 0
      ? candidates
      : candidates.filter((each) => {
          const seen = view.see(each)
          return filters.every((passes) => passes(seen))
        })
  const ascending = inOrder(context, found, served.sortBy as ReportField, view, links, nth)
  const ordered =
    served.sortBy === 'revoked_date'
      ? faultyOrder(ascending, found, (each) => view.see(each).revokedAt !== null, faults)
      : ascending
  const data = pageOf(ordered, served).map((each) => view.show(each, links))
  return success('Credential report.', { data }, pagerOf(reported, found.length, view.countVisible(requests.all())))
}

function inOrder(
  { settings, requests }: RouteContext,
  found: readonly CredentialRequest[],
  field: ReportField,
  view: ReportView,
  links: Links,
  nth: number,
): readonly CredentialRequest[] {
  const read = (each: CredentialRequest) => reportFields[field](view.see(each), links)
  // Requests are already in order of time, so only other fields need sorting.
  const ascending = field === 'request_date' && requests.order.byDate ? found : sortedBy(found, read)
  const { seed, faults } = settings
  const moves = faults.movingRows && draw(seed, 'moves', nth) < faults.movingRows.share
  return moves ? shuffledRuns(ascending, (each) => read(each) ?? '', seed, nth) : ascending
}

/** Returns the smallest list that certainly contains every match: an index lookup if the search has an indexed key. */
function narrowed({ requests }: RouteContext, search: Fields): readonly CredentialRequest[] {
  for (const field of indexedFields) {
    const text = search[field]
    if (typeof text === 'string' && text !== '') return requests.withValue(field, text)
  }
  return requests.all()
}
