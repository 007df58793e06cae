// The credential report: what became of every request, page by page.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { linksFor } from './certificate-links.ts'
import type { CredentialRequest } from './credential-request.ts'
import { success } from './envelope.ts'
import { pageOf, pagerOf, readPage, sortedBy } from './page.ts'
import type { Premises } from './premises.ts'
import { type Fields, fieldsOf } from './read-body.ts'
import { type ReportField, reportFieldNames, reportFields, reportItem, seenAt } from './report-fields.ts'
import { readFilters } from './report-search.ts'
import { countUntil, indexedFields } from './request-book.ts'

const path = '/api/certification/v1/certificate/student/report'

export function addReportRoute(app: FastifyInstance, premises: Premises): void {
  const onRequest = premises.gate.forBearers
  app.post(path, { onRequest }, async (request) => readReport(premises, fieldsOf(request.body), request))
}

function readReport(premises: Premises, fields: Fields, request: FastifyRequest) {
  const { settings, requests, clock } = premises
  // The newest first, as a person looking at a report expects; the service does not say.
  const rules = { maxPage: settings.maxPage, sortable: reportFieldNames, sortBy: 'request_date' } as const
  const wish = readPage(fields, { ...rules, sortOrder: 'desc' })
  const filters = readFilters(wish.search)
  const nowMs = clock.monotonicMs()
  const links = linksFor(premises, `${request.protocol}://${request.host}`)

  const visible = (list: readonly CredentialRequest[]) => list.slice(0, countUntil(list, nowMs - settings.reportLagMs))
  const see = (each: CredentialRequest) => seenAt(each, settings.pace, nowMs)
  const candidates = visible(narrowed(premises, wish.search))
  const found =
    filters.length === 0
      ? candidates
      : candidates.filter((each) => {
          const seen = see(each)
          return filters.every((passes) => passes(seen))
        })
  const sortField = wish.sortBy as ReportField
  // Requests stand in order of their time already; sorting happens only for another field.
  const ascending =
    sortField === 'request_date' ? found : sortedBy(found, (each) => reportFields[sortField](see(each), links))
  const data = pageOf(ascending, wish).map((each) => reportItem(see(each), links))
  const total = countUntil(requests.all(), nowMs - settings.reportLagMs)
  return success('Credential report.', { data }, pagerOf(wish, found.length, total))
}

/** The smallest list that surely holds every match: the index of one person's value where the search names one. */
function narrowed({ requests }: Premises, search: Fields): readonly CredentialRequest[] {
  for (const field of indexedFields) {
    const text = search[field]
    if (typeof text === 'string' && text !== '') return requests.withValue(field, text)
  }
  return requests.all()
}
