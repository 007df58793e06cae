// Decides whether a scan of an inbox is due, from the ledger's record of the last scan. Pure.

import type { Schedule } from '#src/platform/time/schedule.ts'

export interface ScanRecord {
  /** The last due time that a scan has covered. For an interval schedule, the time of the last scan. */
  lastDueAt: Date
  /** When to scan again, before the next due time, for files that were not ready; null if there were none. */
  againAt: Date | null
}

export interface DueScan {
  /** The last due time that this scan covers. */
  coveredDueAt: Date
  /** The first due time that was missed, and how many were. Always null for an interval schedule. */
  missed: { at: Date; count: number } | null
}

/** How late a scan at a time of day may be before it counts as missed. */
const lateMs = 5 * 60_000
/**
 * How long after the due time a daily scan is repeated for files that were still being written. Later files are taken
 * the next day.
 */
const repeatWithinMs = 3_600_000
/** Missed due times are counted up to this number; a larger number would not be more useful. */
const maxMissed = 1_000

/** Returns what a scan now would cover, or null if none is due. */
export function dueScan(schedule: Schedule, record: ScanRecord, now: Date): DueScan | null {
  const first = schedule.next(record.lastDueAt)
  if (first > now) return isRepeatDue(schedule, record, now) ? { coveredDueAt: record.lastDueAt, missed: null } : null
  if (schedule.everyMs !== null) return { coveredDueAt: now, missed: null }
  let coveredDueAt = first
  let count = 1
  for (; count < maxMissed; count++) {
    const next = schedule.next(coveredDueAt)
    if (next > now) break
    coveredDueAt = next
  }
  const missed = now.getTime() - first.getTime() > lateMs ? { at: first, count } : null
  // If too many were missed to count, the scan still covers all of them.
  return { coveredDueAt: count === maxMissed ? now : coveredDueAt, missed }
}

function isRepeatDue(schedule: Schedule, { lastDueAt, againAt }: ScanRecord, now: Date): boolean {
  if (!againAt || againAt > now) return false
  return schedule.everyMs !== null || now.getTime() - lastDueAt.getTime() <= repeatWithinMs
}

/**
 * Returns `lastDueAt` for an inbox that was never scanned: an interval is due immediately, a time of day only from now
 * on.
 */
export function initialLastDueAt(schedule: Schedule, now: Date): Date {
  return schedule.everyMs === null ? now : new Date(0)
}
