// Computes when a recurring task is due, either by an interval such as 5m or by a cron line in a time zone. Only this
// file uses cron-parser, and only in UTC. In other time zones, cron-parser leaves out times that are skipped when the
// clocks change at midnight or by half an hour, and it fails for Australia/Lord_Howe in the days before the clocks go
// back.

import { CronExpressionParser } from 'cron-parser'
import { parseDuration } from './duration.ts'
import { openLocalTimes } from './local-times.ts'

export interface Schedule {
  /** The interval in milliseconds. Null for a cron line, which names times of day that users rely on. */
  readonly everyMs: number | null
  readonly text: string
  readonly timeZone: string
  /**
   * Returns the first due time after `after`. If a change to summer time skips a time of day, it is due later, by as
   * much as the clocks go forward. A time that occurs twice is due once, unless the line is due in every hour.
   */
  next(after: Date): Date
}

/**
 * Parses an interval (250ms, 15s, 5m, 6h, 1d) or a cron line of five fields (minute, hour, day, month, weekday).
 * @param timeZone an IANA name, such as Europe/Berlin; ignored for an interval
 * @returns null if the text is neither of them, if its time never occurs, or if the platform does not know the time
 * zone
 */
export function parseSchedule(text: string, timeZone: string): Schedule | null {
  const everyMs = parseDuration(text)
  if (everyMs === 0) return null
  if (everyMs !== null) return { everyMs, text, timeZone, next: (after) => new Date(after.getTime() + everyMs) }
  const line = text.trim()
  // The parser also accepts seconds, names such as @daily, an empty string, and H, which is a different time on each
  // parse.
  if (line.split(/\s+/).length !== 5 || /(^|[^A-Z])H($|[^A-Z])/i.test(line)) return null
  const nextLocal = (after: number) => cronLine(line, after).next().getTime()
  try {
    nextLocal(0)
    const isHourly = cronLine(line, 0).fields.hour.values.length === 24
    return { everyMs: null, text, timeZone, next: cacheLast(openLocalTimes(timeZone, nextLocal, isHourly)) }
  } catch {
    return null
  }
}

/** Returns whether the platform has a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}

const cronLine = (line: string, after: number) => CronExpressionParser.parse(line, { currentDate: after, tz: 'UTC' })

/** Caches the last result, because every sweep needs the same time and evaluating a cron line takes a millisecond. */
function cacheLast(next: (after: Date) => Date): (after: Date) => Date {
  let last: { after: number; next: Date } | null = null
  return (after) => {
    if (last?.after !== after.getTime()) last = { after: after.getTime(), next: next(after) }
    return last.next
  }
}
