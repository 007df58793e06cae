// Decides whether a list that was expected is missing. Pure.

import type { ExpectSettings } from '#src/extensions/notices/settings/expect-settings.ts'
import { dailyDeadlines } from '#src/platform/time/daily-deadlines.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import type { Facts } from './facts.ts'

export interface CameList {
  at: Date
  /** Null if it was not read yet. */
  rows: number | null
}

export interface Missing {
  since: Date
  facts: Extract<Facts, { about: 'missing' | 'silent' }>
}

export interface Expectation {
  /** The time from which lists are needed to decide. */
  from(now: Date): Date
  /**
   * @param lists in the order in which they came; for `within`, the last one is enough
   * @param watchedSince deadlines before this are not considered, because the setting is newer
   * @returns null if nothing is missing
   */
  missing(lists: readonly CameList[], watchedSince: Date, now: Date): Missing | null
}

/** @param completions whether the source of the pipeline is a learning system */
export function openExpectation(settings: ExpectSettings, completions: boolean): Expectation {
  if ('within' in settings) return expectWithin(settings.within, completions)
  const deadlines = dailyDeadlines(settings.by, settings.days, settings.timeZone)
  return {
    from: (now) => deadlines.around(now).past.at(-2) ?? now,
    missing: (lists, watchedSince, now) =>
      missingByTime(settings, deadlines.around(now).past, lists, watchedSince, now),
  }
}

function expectWithin(within: string, completions: boolean): Expectation {
  const withinMs = parseDuration(within) ?? 0
  // Far enough back to find the last list when its time has just run out.
  const from = (now: Date) => new Date(now.getTime() - 4 * withinMs)
  return {
    from,
    missing(lists, watchedSince, now) {
      const last = lists.at(-1)?.at ?? null
      const sinceMs = Math.max((last ?? from(now)).getTime(), watchedSince.getTime()) + withinMs
      if (now.getTime() < sinceMs) return null
      return {
        since: new Date(sinceMs),
        facts: { about: 'silent', within, completions, last: last?.toISOString() ?? null },
      }
    },
  }
}

function missingByTime(
  { minRows, timeZone }: Extract<ExpectSettings, { by: string }>,
  past: readonly Date[],
  lists: readonly CameList[],
  watchedSince: Date,
  now: Date,
): Missing | null {
  const [previous, due] = past.slice(-2)
  // Nothing is known about the time before the first deadline.
  if (!previous || !due || due <= watchedSince) return null
  // A list that comes late counts for the deadline after it as well, and one that is being read until its rows are known.
  if (lists.some(({ rows, at }) => (rows === null || rows >= minRows) && at > previous && at <= now)) return null
  return { since: due, facts: { about: 'missing', due: due.toISOString(), timeZone, minRows } }
}
