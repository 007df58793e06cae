// Chooses the request days whose credentials a pass of the watch reads. Pure.

import type { DayRange, IssuedDay } from '#src/ledger/report/watching.ts'

export interface WatchPace {
  /** Every issued credential is checked at least once within this time. */
  withinMs: number
  /** The time from one pass to the next. */
  periodMs: number
}

/** How many passes may fail or be late without a credential being checked too late. */
const sparePasses = 2
/** Gaps of up to this many days without credentials are read too, because one request costs less than two. */
const maxGapDays = 3

/** Returns the number of passes in which all credentials are checked. */
export function passesPerCycle({ withinMs, periodMs }: WatchPace): number {
  return Math.max(1, Math.floor(withinMs / periodMs) - sparePasses)
}

/**
 * Returns the days that were read longest ago, until a fair share of all credentials is reached. Overdue days are
 * always included.
 */
export function daysOfPass(days: readonly IssuedDay[], pace: WatchPace, now: Date): DayRange[] {
  const share = days.reduce((sum, { issued }) => sum + issued, 0) / passesPerCycle(pace)
  const lateBefore = now.getTime() - passesPerCycle(pace) * pace.periodMs
  const chosen: string[] = []
  let credentialCount = 0
  for (const { day, issued, lookedAt } of days.toSorted((a, b) => a.lookedAt.getTime() - b.lookedAt.getTime())) {
    if (credentialCount >= share && lookedAt.getTime() >= lateBefore) break
    chosen.push(day)
    credentialCount += issued
  }
  return toRanges(chosen.sort())
}

function toRanges(days: readonly string[]): DayRange[] {
  const ranges: DayRange[] = []
  for (const day of days) {
    const last = ranges.at(-1)
    if (last && dayAfter(last.to, maxGapDays + 1) >= day) last.to = day
    else ranges.push({ from: day, to: day })
  }
  return ranges
}

/** Returns the day that is `count` days later, as YYYY-MM-DD. */
export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)
}
