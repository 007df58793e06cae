// The credential report: what became of every request, page by page.

import type { Call, Endpoint } from './call.ts'
import { linksFor } from './certificate-links.ts'
import type { CredentialRequest } from './credential-request.ts'
import { success } from './envelope.ts'
import { cappedWish } from './mischief/capped-pages.ts'
import { draw } from './mischief/draw.ts'
import { heardFields } from './mischief/heard-search.ts'
import { shuffledRuns } from './mischief/moving-rows.ts'
import { pageOf, pagerOf, readPage, sortedBy } from './page.ts'
import type { Premises } from './premises.ts'
import { type Fields, fieldsOf } from './read-body.ts'
import { type Links, type ReportField, reportFieldNames, reportFields } from './report-fields.ts'
import { readFilters } from './report-search.ts'
import { openReportView, type ReportView } from './report-view.ts'
import { indexedFields } from './request-book.ts'

const path = '/api/certification/v1/certificate/student/report'

export function reportEndpoint(premises: Premises): Endpoint {
  return { method: 'POST', path, admits: 'bearers', answer: (call) => ({ json: readReport(premises, call) }) }
}

function readReport(premises: Premises, { body, nth, origin }: Call) {
  const { settings, requests } = premises
  // The newest first, as a person looking at a report expects; the service does not say.
  const rules = { maxPage: settings.maxPage, sortable: reportFieldNames, sortBy: 'request_date' } as const
  const fields = heardFields(fieldsOf(body), settings.mischief)
  const { cut, told } = cappedWish(readPage(fields, { ...rules, sortOrder: 'desc' }), settings.mischief)
  const filters = readFilters(cut.search)
  const links = linksFor(premises, origin)
  const view = openReportView(premises, nth)

  const candidates = view.visible(narrowed(premises, cut.search))
  const found =
    filters.length === 0
      ? candidates
      : candidates.filter((each) => {
          const seen = view.see(each)
          return filters.every((passes) => passes(seen))
        })
  const ascending = inOrder(premises, found, cut.sortBy as ReportField, view, links, nth)
  const data = pageOf(ascending, cut).map((each) => view.show(each, links))
  return success('Credential report.', { data }, pagerOf(told, found.length, view.countVisible(requests.all())))
}

function inOrder(
  { settings, requests }: Premises,
  found: readonly CredentialRequest[],
  field: ReportField,
  view: ReportView,
  links: Links,
  nth: number,
): readonly CredentialRequest[] {
  const read = (each: CredentialRequest) => reportFields[field](view.see(each), links)
  // Requests stand in order of their time already; sorting happens only for another field.
  const ascending = field === 'request_date' && requests.order.byDate ? found : sortedBy(found, read)
  const { seed, mischief } = settings
  const moves = mischief.movingRows && draw(seed, 'moves', nth) < mischief.movingRows.share
  return moves ? shuffledRuns(ascending, (each) => read(each) ?? '', seed, nth) : ascending
}

/** The smallest list that surely holds every match: the index of one person's value where the search names one. */
function narrowed({ requests }: Premises, search: Fields): readonly CredentialRequest[] {
  for (const field of indexedFields) {
    const text = search[field]
    if (typeof text === 'string' && text !== '') return requests.withValue(field, text)
  }
  return requests.all()
}
