// One reading of the credential report: page by page, most recent requests first, back to a given day. Every item is noted, and
// what belongs to one of our issuances moves it on. One reading serves the baseline, all open rows and all doubts at once, so
// its cost is pages, not people.

import { allStatusIds } from '#src/issuance/report-status.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { Log } from '#src/log/log.ts'
import type { Clock } from '#src/time/clock.ts'
import { type Finding, matchItems } from './match.ts'
import { isSomebodyElse, newsOf } from './news-of.ts'
import type { Policy } from './policy.ts'
import { type ReportItemShown, readItem, type SeenItem } from './read-item.ts'

export interface ReportSource {
  reportPages(query: {
    search: Record<string, unknown>
    sortBy: string
    sortOrder: 'asc' | 'desc'
    recordsPerPage: number
  }): AsyncIterable<{ items: ReportItemShown[]; filteredRecords: number | null; walk: 'more' | 'complete' | 'cut' }>
}

export interface ScanTools {
  ledger: Ledger
  issuer: ReportSource
  log: Log
  clock: Clock
  pageSize: number
  policy: Policy
}

export interface ScanResult {
  complete: boolean
  /** False when items without an entity_uuid look alike: one of them may belong to a row that seems to be absent. */
  tellsApart: boolean
  /**
   * By course: when the latest call was made of which this very reading shows a row, and which the service had accepted. What it does not
   * show of earlier calls is not there, rather than not there yet.
   */
  shownUpTo: ReadonlyMap<string, Date>
  id: number
  startedAt: Date
  since: string
}

/**
 * @param since YYYY-MM-DD; requests dated earlier are not needed
 * @throws what reading the report throws; the scan is then on record as incomplete
 */
export async function scanReport(tools: ScanTools, since: string): Promise<ScanResult> {
  const { ledger, issuer, log, clock } = tools
  const begun = clock.monotonicMs()
  const scan = await ledger.beginScan(since)
  const tally = { complete: false, pages: 0, items: 0, claimed: 0, unknown: 0, problem: null as string | null }
  const walk = openWalk(since)
  const shownUpTo = new Map<string, Date>()
  const loose = new Map<string, number>()
  try {
    const pages = issuer.reportPages({
      search: { issued_status_id: allStatusIds },
      sortBy: 'request_date',
      sortOrder: 'desc',
      recordsPerPage: tools.pageSize,
    })
    for await (const page of pages) {
      tally.pages++
      tally.items += page.items.length
      const applied = await takePage(tools, page.items, { shownUpTo, loose })
      tally.claimed += applied.claimed
      tally.unknown += applied.unknown
      tally.complete = walk.see(page)
      if (tally.complete) break
    }
    if (!tally.complete) tally.problem = 'the pages did not add up to what the service said there is'
  } catch (error) {
    tally.problem = error instanceof Error ? error.name : 'unknown fault'
    throw error
  } finally {
    await ledger.endScan(scan.id, tally)
    const { complete, pages, items, claimed } = tally
    log.event(complete ? 'report.scanned' : 'report.incomplete', {
      complete,
      pages,
      items,
      claimed,
      ms: Math.round(clock.monotonicMs() - begun),
    })
    if (tally.unknown > 0) log.event('report.unknown_status', { count: tally.unknown })
  }
  const tellsApart = [...loose.values()].every((items) => items === 1)
  return { complete: tally.complete, tellsApart, shownUpTo, id: scan.id, startedAt: scan.startedAt, since }
}

/** Items of the report, wherever they were found: whose they are, and what follows. */
export async function takePage(
  { ledger, log, clock, policy }: Omit<ScanTools, 'issuer' | 'pageSize'>,
  shown: readonly ReportItemShown[],
  { shownUpTo, loose }: { shownUpTo: Map<string, Date>; loose: Map<string, number> } = {
    shownUpTo: new Map(),
    loose: new Map(),
  },
) {
  const read = shown.map((item) => readItem(item, ledger.hasher))
  await ledger.noteSightings(read)
  const keys = read.flatMap((item) => [item.key, item.fingerprint])
  const seen = await ledger.firstSightings(read.map((item) => item.key))
  const items = read.map((item) => ({ ...item, firstSeenAt: seen.get(item.key) ?? new Date(Number.NaN) }))
  for (const { key, fingerprint } of read) if (key === fingerprint) noteLoose(loose, key)
  const candidates = await ledger.findCandidates(
    [...new Set(items.flatMap((item) => item.hashes))].map((hash) => Buffer.from(hash, 'hex')),
    keys,
  )
  const claims = await ledger.findClaims(keys)
  const findings = matchItems(items, { candidates, claims }, isSomebodyElse)
  noteControls(findings, shownUpTo)
  const news = newsOf(findings, clock.now(), policy)
  const applied = await ledger.applyReport(news)
  const unknown = findings.filter(
    (finding) => finding.kind === 'follow' && finding.item.reading.kind === 'unknown',
  ).length
  const held = news.moves.filter((move) => move.to === 'held')
  for (const { id, reason } of held) log.event('issuance.held', { issuance: id, reason: reason ?? '' })
  return { claimed: applied.claimed, unknown }
}

function noteControls(findings: readonly Finding<SeenItem>[], shownUpTo: Map<string, Date>): void {
  for (const finding of findings) {
    if ((finding.kind !== 'claim' && finding.kind !== 'follow') || finding.issuance?.lastOutcome !== 'accepted')
      continue
    const { courseUuid, lastSentAt } = finding.issuance
    const known = shownUpTo.get(courseUuid)
    if (!known || known < lastSentAt) shownUpTo.set(courseUuid, lastSentAt)
  }
}

function noteLoose(loose: Map<string, number>, fingerprint: string): void {
  loose.set(fingerprint, (loose.get(fingerprint) ?? 0) + 1)
}

/** Tells when a walk has seen enough: everything the pager promised, or, in a list that is truly sorted, the first page wholly before `since`. */
function openWalk(since: string) {
  const keys = new Set<string>()
  let loose = 0
  let lastDate = '9999-12-31'
  let sorted = true
  let promised: number | null = null
  return {
    see(page: {
      items: readonly ReportItemShown[]
      filteredRecords: number | null
      walk: 'more' | 'complete' | 'cut'
    }): boolean {
      for (const item of page.items) {
        if (item.entity_uuid) keys.add(item.entity_uuid)
        else loose++
        const day = (item.request_date ?? '').slice(0, 10)
        if (!day || day > lastDate) sorted = false
        else lastDate = day
      }
      // New requests come in while we read and push older ones down; those there were at the start are what must be seen.
      promised ??= page.filteredRecords
      const wholePageBefore =
        page.items.length > 0 && page.items.every((item) => (item.request_date ?? '9999').slice(0, 10) < since)
      if (sorted && wholePageBefore) return true
      // Rows that moved between pages during the walk come twice and hide others: distinct ones must add up.
      return page.walk === 'complete' && keys.size + loose >= (promised ?? 0)
    },
  }
}
