// Reads the credential report from the service page by page, most recent requests first, back to a given day. Records
// every item in the database, and updates the issuances that items belong to. One scan serves the baseline, all open
// rows and all unconfirmed rows, so its cost depends on the number of pages rather than the number of people.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { Log } from '#src/platform/log/log.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type MatchFinding, matchItems } from './match-items.ts'
import type { Policy } from './policy.ts'
import { type ItemAsShown, readItem, type SeenItem } from './read-report-item.ts'
import { isAnotherPerson, reportChanges } from './report-changes.ts'

export interface ReportSource {
  reportPages(query: {
    search: Record<string, unknown>
    sortBy: string
    sortOrder: 'asc' | 'desc'
    recordsPerPage: number
    firstPage?: number
    maxPages?: number
    readsAhead?: boolean
  }): AsyncIterable<{ items: ItemAsShown[]; filteredRecords: number | null; walk: 'more' | 'complete' | 'cut' }>
}

/**
 * The part of the query that is the same whenever the whole report is read; callers add the order and the days. The
 * content of the pages decides when a scan ends. A limit on their number would hide the earliest items of a day that
 * fills more pages, however often the scan is repeated. `maxPages` therefore only protects against a service whose
 * pages never end.
 */
export const wholeReportQuery = { search: { issued_status_id: allStatusIds }, maxPages: 1_000_000 }

export interface ScanTools {
  ledger: Ledger
  issuer: ReportSource
  log: Log
  clock: Clock
  pageSize: number
  policy: Policy
}

export interface ScanResult {
  /** Whether every request since the day `since` was read. If not, nothing may be concluded from an absent item. */
  complete: boolean
  /**
   * False if several items without an entity_uuid look the same: one of them may belong to a row that seems to be
   * absent.
   */
  distinguishable: boolean
  /**
   * For each course, the time of the latest accepted call with a row that this scan shows. A row of an earlier call
   * that is not shown is therefore absent rather than late.
   */
  shownUpTo: ReadonlyMap<string, Date>
  id: number
  /** On the database's clock. */
  startedAt: Date
  since: string
}

/**
 * @param since a day as YYYY-MM-DD; earlier requests are not needed
 * @throws any error from reading the report; the scan is then recorded as incomplete
 */
export async function scanReport(tools: ScanTools, since: string): Promise<ScanResult> {
  const { ledger, issuer, log, clock } = tools
  const startedAtMs = clock.monotonicMs()
  const scan = await ledger.scans.begin(since)
  const tally = { complete: false, pages: 0, items: 0, claimed: 0, unknown: 0, problem: null as string | null }
  const progress = openScanProgress(since)
  const shownUpTo = new Map<string, Date>()
  const withoutUuid = new Map<string, number>()
  try {
    const pages = issuer.reportPages({
      ...wholeReportQuery,
      sortBy: 'request_date',
      sortOrder: 'desc',
      recordsPerPage: tools.pageSize,
      readsAhead: true,
    })
    for await (const page of pages) {
      tally.pages++
      tally.items += page.items.length
      const applied = await applyPage(tools, page.items, { shownUpTo, withoutUuid })
      tally.claimed += applied.claimed
      tally.unknown += applied.unknown
      tally.complete = progress.add(page)
      if (tally.complete) break
    }
    if (!tally.complete) tally.problem = 'the pages have fewer items than the service counted'
  } catch (error) {
    tally.problem = error instanceof Error ? error.name : 'unknown fault'
    throw error
  } finally {
    await ledger.scans.end(scan.id, tally)
    const { complete, pages, items, claimed } = tally
    log.event(complete ? 'report.scanned' : 'report.incomplete', {
      complete,
      pages,
      items,
      claimed,
      ms: Math.round(clock.monotonicMs() - startedAtMs),
    })
    if (tally.unknown > 0) log.event('report.unknown_status', { count: tally.unknown })
  }
  const distinguishable = [...withoutUuid.values()].every((items) => items === 1)
  return { complete: tally.complete, distinguishable, shownUpTo, id: scan.id, startedAt: scan.startedAt, since }
}

/**
 * Matches items of the report to issuances and writes the resulting changes. The items may come from any request.
 * @param shownUpTo is updated; see ScanResult
 * @param withoutUuid is updated: how many items without an entity_uuid have each fingerprint
 */
export async function applyPage(
  { ledger, log, clock, policy }: Omit<ScanTools, 'issuer' | 'pageSize'>,
  shown: readonly ItemAsShown[],
  { shownUpTo, withoutUuid }: { shownUpTo: Map<string, Date>; withoutUuid: Map<string, number> } = {
    shownUpTo: new Map(),
    withoutUuid: new Map(),
  },
) {
  const read = shown.map((item) => readItem(item, ledger.hasher))
  await ledger.scans.noteSightings(read)
  const keys = read.flatMap((item) => [item.key, item.fingerprint])
  const firstSeen = await ledger.scans.firstSightings(read.map((item) => item.key))
  const items = read.map((item) => ({ ...item, firstSeenAt: firstSeen.get(item.key) ?? new Date(Number.NaN) }))
  for (const { key, fingerprint } of read) if (key === fingerprint) noteWithoutUuid(withoutUuid, key)
  const candidates = await ledger.report.findCandidates(
    [...new Set(items.flatMap((item) => item.hashes))].map((hash) => Buffer.from(hash, 'hex')),
    keys,
  )
  const claims = await ledger.report.findClaims(keys)
  const findings = matchItems(items, { candidates, claims }, isAnotherPerson)
  noteControls(findings, shownUpTo)
  const changes = reportChanges(findings, clock.now(), policy)
  const applied = await ledger.report.apply(changes)
  const unknown = findings.filter(
    (finding) => finding.kind === 'follow' && finding.item.reading.kind === 'unknown',
  ).length
  const held = changes.moves.filter((move) => move.to === 'held')
  for (const { id, reason } of held) log.event('issuance.held', { issuance: id, reason: reason ?? '' })
  const revoked = changes.moves.filter(({ to, from }) => to === 'revoked' && from !== to).length
  return { claimed: applied.claimed, unknown, revoked }
}

function noteControls(findings: readonly MatchFinding<SeenItem>[], shownUpTo: Map<string, Date>): void {
  for (const finding of findings) {
    if ((finding.kind !== 'claim' && finding.kind !== 'follow') || finding.issuance?.lastOutcome !== 'accepted')
      continue
    const { courseUuid, lastSentAt } = finding.issuance
    const known = shownUpTo.get(courseUuid)
    if (!known || known < lastSentAt) shownUpTo.set(courseUuid, lastSentAt)
  }
}

function noteWithoutUuid(withoutUuid: Map<string, number>, fingerprint: string): void {
  withoutUuid.set(fingerprint, (withoutUuid.get(fingerprint) ?? 0) + 1)
}

/**
 * Decides when a scan is complete: when it has seen everything that the service counted or, if the list is in fact
 * sorted, at the first page whose items are all from before `since`.
 */
function openScanProgress(since: string) {
  const keys = new Set<string>()
  let withoutUuid = 0
  let lastDate = '9999-12-31'
  let sorted = true
  let expectedCount: number | null = null
  return {
    /** Returns whether the scan is complete with this page. */
    add(page: {
      items: readonly ItemAsShown[]
      filteredRecords: number | null
      walk: 'more' | 'complete' | 'cut'
    }): boolean {
      for (const item of page.items) {
        if (item.entity_uuid) keys.add(item.entity_uuid)
        else withoutUuid++
        const day = (item.request_date ?? '').slice(0, 10)
        if (!day || day > lastDate) sorted = false
        else lastDate = day
      }
      // New requests may arrive during the scan and push older items down. Only the items that existed at the start
      // must be seen.
      expectedCount ??= page.filteredRecords
      const wholePageBefore =
        page.items.length > 0 && page.items.every((item) => (item.request_date ?? '9999').slice(0, 10) < since)
      if (sorted && wholePageBefore) return true
      // Items that move between pages appear twice and hide other items, so the number of distinct items is compared.
      return page.walk === 'complete' && keys.size + withoutUuid >= (expectedCount ?? 0)
    },
  }
}
