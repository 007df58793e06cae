// The report as one call sees it: which requests show, and how each looks. Every mischief of the report meets here.

import { type CredentialRequest, issueTime, statusAt } from './credential-request.ts'
import { backwardsOf } from './mischief/backwards.ts'
import { hiddenUuids } from './mischief/null-entity-uuid.ts'
import { respell, spellingOf } from './mischief/spelling.ts'
import { afterBacklog } from './mischief/visibility.ts'
import type { Premises } from './premises.ts'
import { type Links, type ReportField, reportItem, type Seen } from './report-fields.ts'
import { countUntil } from './request-book.ts'

export interface ReportView {
  /** Those of a list in order of arrival that show now, in the same order. */
  visible(list: readonly CredentialRequest[]): readonly CredentialRequest[]
  /** How many of such a list show now. */
  countVisible(list: readonly CredentialRequest[]): number
  see(request: CredentialRequest): Seen
  show(request: CredentialRequest, links: Links): Record<ReportField, string | null>
}

/** `nth` is the number of the report call, the position of what is drawn anew for every page. */
export function openReportView({ settings, clock, openedMs, requests }: Premises, nth: number): ReportView {
  const { seed, pace, reportLagMs, mischief } = settings
  const nowMs = clock.monotonicMs()
  const backwards = backwardsOf(mischief, seed, nth)
  const hidden = hiddenUuids(mischief, seed)
  const spelling = spellingOf(mischief, seed)

  const showsFrom = ({ acceptedMs, extraLagMs }: CredentialRequest) =>
    openedMs + afterBacklog(mischief.backlog, acceptedMs + reportLagMs + extraLagMs - openedMs)
  // Halving a list of 100,000 instead of walking it is what keeps the honest report fast; it needs one lag for all.
  const even = requests.order.byVisibility && !mischief.backlog?.length
  const visible = (list: readonly CredentialRequest[]) =>
    even ? list.slice(0, countUntil(list, nowMs - reportLagMs)) : list.filter((each) => showsFrom(each) <= nowMs)

  const see = (request: CredentialRequest): Seen => {
    const status = backwards(statusAt(request, pace, nowMs), request.number)
    const revokedAt = requests.revocation(request)?.dated ?? null
    return { request, status, issuedAt: status === 3 ? issueTime(request, pace) : null, revokedAt }
  }
  return {
    visible,
    countVisible: (list) => (even ? countUntil(list, nowMs - reportLagMs) : visible(list).length),
    see,
    show(request, links) {
      const item = respell(reportItem(see(request), links), spelling(request.number))
      if (hidden(request.number, nowMs - showsFrom(request))) item.entity_uuid = null
      return item
    },
  }
}
