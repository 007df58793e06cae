// Decides whether a list that was expected is missing. Pure.

import type { ExpectSettings } from '#src/extensions/notices/settings/expect-settings.ts'
import { dailyDeadlines } from '#src/platform/time/daily-deadlines.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import type { Facts } from './facts.ts'

export interface CameList {
  at: Date
  /** Null if it was not read yet. */
  rows: number | null
  /** The run of a file; an exact copy that came later has the same. */
  run?: string | null
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
    from: (now) => deadlines.around(now).past[0] ?? now,
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
  const due = past.at(-1)
  if (!due || due <= watchedSince) return null
  // A list that is still being read counts until its rows are known.
  const enough = lists.filter(({ rows, at }) => (rows === null || rows >= minRows) && at <= now)
  const cameAfterwards = enough.some(({ at }) => at > due)
  if (cameAfterwards || isMet(past, enough, watchedSince)) return null
  return { since: due, facts: { about: 'missing', due: due.toISOString(), timeZone, minRows } }
}

/**
 * Returns whether the last deadline was met. A list belongs to the deadline after it. But one that comes after a
 * deadline that was missed, in the first half of the time until the next one, may be the late list of that deadline:
 * otherwise yesterday's late list would hide that today's is missing. Whether it is shows how lists usually come.
 */
function isMet(past: readonly Date[], lists: readonly CameList[], watchedSince: Date): boolean {
  let [wasMet, wasEmpty] = [true, false]
  /** Above 0 if most lists come in the second half of their time, below 0 if most come in the first. */
  let habit = 0
  for (const [index, deadline] of past.entries()) {
    const previous = past[index - 1]
    // Nothing is known about the time before the first deadline.
    if (!previous) continue
    const middle = new Date((previous.getTime() + deadline.getTime()) / 2)
    const came = lists.filter(({ at }) => at > previous && at <= deadline)
    const [first] = came
    // Without a habit, a list is late only if none came in the time of the missed deadline: otherwise one list that is
    // missing would shift all that follow.
    const isLate = !wasMet && first !== undefined && first.at <= middle && (habit > 0 || (habit === 0 && wasEmpty))
    // A copy of a late list is as late.
    const own = came.filter((list) => !isLate || (list !== first && (!list.run || list.run !== first.run)))
    if (own.length > 0 && !isLate) habit += own.some(({ at }) => at > middle) ? 1 : -1
    wasMet = deadline <= watchedSince || own.length > 0
    wasEmpty = came.length === 0
  }
  return wasMet
}
