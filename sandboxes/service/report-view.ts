// The report at the time of one call: which requests it shows, and with which values. Applies all faults of the report.

import { type CredentialRequest, issueTime, statusAt } from './credential-request.ts'
import { backwardsOf } from './faults/backwards.ts'
import { hiddenUuids } from './faults/null-entity-uuid.ts'
import { respell, spellingOf } from './faults/spelling.ts'
import { afterBacklog } from './faults/visibility.ts'
import { type Links, type ReportField, reportItem, type Seen } from './report-fields.ts'
import { countUntil } from './request-store.ts'
import type { RouteContext } from './route-context.ts'

export interface ReportView {
  /** Returns the requests that are visible now, from a list in order of arrival, in the same order. */
  visible(list: readonly CredentialRequest[]): readonly CredentialRequest[]
  /** Returns how many requests of a list in order of arrival are visible now. */
  countVisible(list: readonly CredentialRequest[]): number
  see(request: CredentialRequest): Seen
  show(request: CredentialRequest, links: Links): Record<ReportField, string | null>
}

/** @param nth the number of the report call, which is the position for random numbers that are drawn for each page */
export function openReportView({ settings, clock, openedMs, requests }: RouteContext, nth: number): ReportView {
  const { seed, pace, reportLagMs, faults } = settings
  const nowMs = clock.monotonicMs()
  const backwards = backwardsOf(faults, seed, nth)
  const hidden = hiddenUuids(faults, seed)
  const spelling = spellingOf(faults, seed)

  const showsFrom = ({ acceptedMs, extraLagMs }: CredentialRequest) =>
    openedMs + afterBacklog(faults.backlog, acceptedMs + reportLagMs + extraLagMs - openedMs)
  // If all requests have the same lag, bisection avoids walking a list of 100,000, which keeps the report fast.
  const hasEvenLag = requests.order.byVisibility && !faults.backlog?.length
  const vanished = new Set(faults.vanished)
  const shown = (list: readonly CredentialRequest[]) =>
    hasEvenLag
      ? list.slice(0, countUntil(list, nowMs - reportLagMs))
      : list.filter((entry) => showsFrom(entry) <= nowMs)

  const visible = (list: readonly CredentialRequest[]) =>
    vanished.size === 0 ? shown(list) : shown(list).filter(({ outcome }) => !vanished.has(outcome.credentialId))

  const see = (request: CredentialRequest): Seen => {
    const status = backwards(statusAt(request, pace, nowMs), request.number)
    const issuedAt = status === 3 ? issueTime(request, pace) : null
    const revokedAt = requests.revocation(request)?.dated ?? null
    return { request, status, issuedAt, revokedAt, hasPublicLink: requests.hasPublicLink(request) }
  }
  return {
    visible,
    countVisible: (list) =>
      hasEvenLag && vanished.size === 0 ? countUntil(list, nowMs - reportLagMs) : visible(list).length,
    see,
    show(request, links) {
      const item = respell(reportItem(see(request), links), spelling(request.number))
      if (hidden(request.number, nowMs - showsFrom(request))) item.entity_uuid = null
      return item
    },
  }
}
