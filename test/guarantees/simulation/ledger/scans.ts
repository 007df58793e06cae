// Scans of the report in the twin, the time each item was first seen, and the poller's times.

import type { PollerStatus } from '#src/ledger/report/poller.ts'
import type { ScanEnd, StartedScan } from '#src/ledger/report/scans.ts'
import type { IssuanceRecord } from './records.ts'
import { dayOf, type Tables } from './tables.ts'

const dayMs = 86_400_000

export function beginScan(tables: Tables, since: string): StartedScan {
  const scan = { id: tables.scans.length + 1, since, startedAt: tables.now(), endedAt: null, complete: false }
  tables.scans.push(scan)
  return { id: scan.id, startedAt: new Date(scan.startedAt) }
}

export function endScan(tables: Tables, id: number, end: ScanEnd): void {
  const scan = tables.scans[id - 1]
  if (scan) Object.assign(scan, { endedAt: tables.now(), complete: end.complete })
}

export function baselineIsFresh(tables: Tables, maxAgeMs: number, begunAfter: Date | null): boolean {
  const now = tables.now()
  const since = dayOf(now, 2)
  // Newest first, so that the scan is found quickly even after many scans.
  const fresh = tables.scans.findLast(
    (scan) =>
      scan.complete &&
      scan.since <= since &&
      (scan.endedAt ?? 0) > now - maxAgeMs &&
      (begunAfter === null || scan.startedAt > begunAfter.getTime()),
  )
  return fresh !== undefined
}

export function baselineSince(tables: Tables): string {
  return dayOf(tables.now(), 2)
}

export function noteSightings(tables: Tables, items: readonly { key: string; fingerprint: string }[]): void {
  const at = new Date(tables.now())
  const loose = new Set(items.filter((item) => item.key === item.fingerprint).map((item) => item.key))
  const named = items.filter((item) => item.key !== item.fingerprint && !loose.has(item.fingerprint))
  const known = new Set(tables.sightings.keys())
  for (const { key, fingerprint } of [...named].sort((one, other) => (one.key < other.key ? -1 : 1))) {
    const first = tables.sightings.get(fingerprint)
    if (first === undefined || known.has(key)) continue
    tables.sightings.delete(fingerprint)
    tables.sightings.set(key, first)
  }
  for (const { key } of items) if (!tables.sightings.has(key)) tables.sightings.set(key, at)
}

export function firstSightings(tables: Tables, keys: readonly string[]): Map<string, Date> {
  const found = new Map<string, Date>()
  for (const key of keys) {
    const at = tables.sightings.get(key)
    if (at) found.set(key, at)
  }
  return found
}

export function* watchedRows({ inState }: Tables): Iterable<IssuanceRecord> {
  yield* inState.unconfirmed
  yield* inState.requested
  yield* inState.in_progress
}

export function readWatch(tables: Tables): PollerStatus {
  const now = tables.now()
  let [open, youngest, oldest, oldestOfADay] = [0, Number.NEGATIVE_INFINITY, now, now]
  let [sent, young] = [false, false]
  for (const { stateSince, firstSentAt } of watchedRows(tables)) {
    open++
    youngest = Math.max(youngest, stateSince)
    if (firstSentAt === null) continue
    sent = true
    oldest = Math.min(oldest, firstSentAt)
    if (firstSentAt <= now - dayMs) continue
    young = true
    oldestOfADay = Math.min(oldestOfADay, firstSentAt)
  }
  return {
    open,
    unsent: tables.inState.pending.size > 0,
    youngestMs: open > 0 ? now - youngest : null,
    sinceAll: sent ? dayOf(oldest, 1) : null,
    sinceYoung: young ? dayOf(oldestOfADay, 1) : null,
    due: tables.poller === null || tables.poller.dueAt <= now,
    deepDue: tables.poller === null || tables.poller.deepDueAt <= now,
  }
}

export function schedulePoller(tables: Tables, nextMs: number, deepMs: number | null): void {
  const now = tables.now()
  const deepDueAt = deepMs === null && tables.poller ? tables.poller.deepDueAt : now + (deepMs ?? 0)
  tables.poller = { dueAt: now + nextMs, deepDueAt, askedAt: null }
}

export function hurryPoller(tables: Tables, withinMs: number): void {
  const now = tables.now()
  const dueAt = now + withinMs
  if (tables.poller) tables.poller.dueAt = Math.min(tables.poller.dueAt, dueAt)
  else tables.poller = { dueAt, deepDueAt: now, askedAt: null }
}
