// Runs one pass of the watch over issued credentials. It finds revocations by reading the report in the order of
// revocation dates if that order proves reliable, otherwise by reading a share of the report. Progress is stored after
// each page, so the next pass continues an interrupted one. Calls the service and writes to the database.

import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { DayRange, WatchMethod, WatchStatus } from '#src/ledger/report/watching.ts'
import { openRepeatedRows } from './repeated-rows.ts'
import { evaluateOrder, openRevokedOrder } from './revoked-order.ts'
import { wholeReportQuery } from './scan-report.ts'
import {
  applyAndMarkSeen,
  applyReportChanges,
  lookUpAllUnseen,
  lookUpUnseen,
  markUnseenMissing,
  type WatchTally,
  type WatchTools,
} from './watch-items.ts'
import { dayAfter, daysOfPass, passesPerCycle, type WatchPace } from './watch-plan.ts'

/** @throws any error from reading the report; the pages that were already read still count */
export async function watchIssued(
  tools: WatchTools,
  status: WatchStatus,
  pace: WatchPace,
  tally: WatchTally,
): Promise<WatchMethod> {
  const { ledger } = tools
  const startedAt = status.now
  if (status.allWanted) {
    await readRound(tools, status, 1, tally)
    return 'pages'
  }
  const orderFound = await readRevoked(tools, { startedAt, sortedAt: status.sortedAt }, tally)
  if (orderFound !== 'not shown') {
    await ledger.watching.noteInOrder(startedAt)
    return orderFound
  }
  const ranges = daysOfPass(await ledger.watching.issuedDays(), pace, startedAt)
  if (await readDays(tools, ranges, startedAt, tally)) return 'days'
  await readRound(tools, status, passesPerCycle(pace), tally)
  return 'pages'
}

/** @returns false if the report ignores the date range, or was not read to its end */
async function readDays(
  tools: WatchTools,
  ranges: readonly DayRange[],
  startedAt: Date,
  tally: WatchTally,
): Promise<boolean> {
  try {
    for (const range of ranges) if (!(await readRange(tools, range, startedAt, tally))) return false
    return true
  } catch (error) {
    if (error instanceof ServiceRefusedError && error.status < 500) return false
    throw error
  }
}

async function readRange(tools: WatchTools, range: DayRange, startedAt: Date, tally: WatchTally): Promise<boolean> {
  // It is not documented whether the range includes both days, or which time zone it uses.
  const [start, end] = [dayAfter(range.from, -1), dayAfter(range.to, 1)]
  const search = { ...wholeReportQuery.search, date_range: { start, end } }
  let isComplete = false
  for await (const { items, walk } of tools.issuer.reportPages({ ...byRequestDate(tools), search })) {
    const days = items.flatMap((item) => item.request_date?.slice(0, 10) || [])
    if (days.some((day) => day < dayAfter(start, -1) || day > dayAfter(end, 1))) return false
    await applyAndMarkSeen(tools, items, tally)
    isComplete = walk === 'complete'
  }
  return isComplete && (await lookUpUnseen(tools, range, startedAt, tally))
}

/**
 * Reads the next pages of a round through the whole report. The oldest requests come first, so that new requests are
 * added at the end.
 */
async function readRound(tools: WatchTools, status: WatchStatus, passes: number, tally: WatchTally): Promise<void> {
  const { ledger, issuer, pageSize } = tools
  const { roundStartedAt } = status
  const startedAt = roundStartedAt ?? (await ledger.watching.beginRound())
  const startPosition = roundStartedAt ? status.position : 0
  const size = Math.min(pageSize, (roundStartedAt && status.pageRecords) || pageSize)
  const firstPage = Math.floor(startPosition / size) + 1
  let pageRecords = roundStartedAt ? status.pageRecords : null
  let position = (firstPage - 1) * size
  let remaining: number | null = null
  const repeated = openRepeatedRows(({ request_date }) => request_date?.slice(0, 10) ?? '')
  for await (const page of issuer.reportPages({ ...byRequestDate(tools), recordsPerPage: size, firstPage })) {
    const { items, walk, filteredRecords } = page
    if (remaining === null && walk === 'more') {
      // If pages are smaller than before, it is unknown which rows were read, so the round starts over.
      if (firstPage > 1 && items.length < size)
        return readRound(tools, { ...status, roundStartedAt: null }, passes, tally)
      pageRecords = items.length
    }
    remaining ??= filteredRecords === null ? Number.POSITIVE_INFINITY : Math.ceil(filteredRecords / passes)
    position += items.length
    repeated.add(items)
    remaining -= items.length
    await applyAndMarkSeen(tools, items, tally, { position, pageRecords })
    if (walk !== 'more')
      return endRound(tools, startedAt, { isWhole: walk === 'complete', repeats: repeated.found }, tally)
    if (remaining <= 0) return
  }
}

async function endRound(
  tools: WatchTools,
  startedAt: Date,
  { isWhole, repeats }: { isWhole: boolean; repeats: boolean },
  tally: WatchTally,
): Promise<void> {
  if (!(await lookUpUnseen(tools, null, startedAt, tally))) {
    if (repeats) await lookUpAllUnseen(tools, startedAt, tally)
    else if (isWhole) await markUnseenMissing(tools, startedAt)
  }
  await tools.ledger.watching.endRound()
}

function byRequestDate({ pageSize }: WatchTools) {
  return { ...wholeReportQuery, sortBy: 'request_date', sortOrder: 'asc', recordsPerPage: pageSize } as const
}

/** How many days a pass reads back beyond the previous one, to allow for time zones and a lagging report. */
const overlapDays = 7

type OrderFound = 'whole' | 'order' | 'not shown'

/**
 * Reads revoked credentials in the order of revocation, newest first. If the report supports this order, a pass of the
 * watch needs only one page.
 * @param startedAt when this pass started; `sortedAt` is when the last pass that saw everything started, or null. Both
 * are times on the database's clock
 */
async function readRevoked(
  tools: WatchTools,
  { startedAt, sortedAt }: { startedAt: Date; sortedAt: Date | null },
  tally: WatchTally,
): Promise<OrderFound> {
  const since = sortedAt && dayAfter(sortedAt.toISOString().slice(0, 10), -overlapDays)
  try {
    const newest = await readInOrder(tools, 'desc', { since, startedAt }, tally)
    if (newest !== 'none revoked') return newest
    // Either nothing is revoked, or the service sorts missing dates first in descending order, and the revoked rows are
    // at the end.
    const oldest = await readInOrder(tools, 'asc', { since: null, startedAt }, tally)
    return oldest === 'none revoked' ? 'not shown' : oldest
  } catch (error) {
    if (error instanceof ServiceRefusedError && error.status < 500) return 'not shown'
    throw error
  }
}

async function readInOrder(
  tools: WatchTools,
  sortOrder: 'asc' | 'desc',
  { since, startedAt }: { since: string | null; startedAt: Date },
  tally: WatchTally,
): Promise<OrderFound | 'none revoked'> {
  const { ledger, issuer, pageSize } = tools
  const order = openRevokedOrder(sortOrder)
  const keys: string[] = []
  let pagesRead = 0
  const pages = issuer.reportPages({ ...wholeReportQuery, sortBy: 'revoked_date', sortOrder, recordsPerPage: pageSize })
  for await (const { items, walk } of pages) {
    order.add(items)
    pagesRead++
    keys.push(...(await applyReportChanges(tools, items, tally)))
    if (walk === 'complete') {
      // A report of a few pages was read completely, so its order does not matter.
      await ledger.watching.noteSeen(keys, null)
      return (await lookUpUnseen(tools, null, startedAt, tally)) ? 'whole' : 'not shown'
    }
    if (walk === 'cut') return 'not shown'
    const verdict = evaluateOrder(order, { since, pagesRead })
    if (verdict !== 'read on') return verdict
  }
  return 'not shown'
}
