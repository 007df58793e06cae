// Computes when something that repeats is due: by an interval such as 5m, or a cron line in a time zone. No other
// file uses cron-parser, whose version is the one that BullMQ uses, so that both give the same times.

import { CronExpressionParser } from 'cron-parser'
import { parseDuration } from './duration.ts'

export interface Schedule {
  /** Null for a cron line: unlike an interval, it names times of day that users rely on. */
  readonly everyMs: number | null
  readonly text: string
  readonly timeZone: string
  /**
   * Returns the first due time after `after`. A time of day that a change to summer time skips is moved an hour later;
   * a time of day that occurs twice is due once.
   */
  next(after: Date): Date
}

/**
 * Parses an interval (250ms, 15s, 5m, 6h, 1d) or a cron line of five fields (minute, hour, day, month, weekday).
 * @param timeZone an IANA name, such as Europe/Berlin; ignored for an interval
 * @returns null if the text is neither, or names a time that never occurs
 */
export function parseSchedule(text: string, timeZone: string): Schedule | null {
  const everyMs = parseDuration(text)
  if (everyMs !== null) return everyMs > 0 ? { everyMs, text, timeZone, next: (after) => addMs(after, everyMs) } : null
  const line = text.trim()
  // The parser also accepts seconds, names such as @daily, an empty string, and H, which is a different time on each
  // parse.
  if (line.split(/\s+/).length !== 5 || /(^|[^A-Z])H($|[^A-Z])/i.test(line)) return null
  try {
    nextOf(line, timeZone, new Date(0))
  } catch {
    return null
  }
  return { everyMs: null, text, timeZone, next: cacheLast((after) => nextOf(line, timeZone, after)) }
}

/** Returns whether the platform has a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}

function addMs(after: Date, ms: number): Date {
  return new Date(after.getTime() + ms)
}

function nextOf(line: string, tz: string, currentDate: Date): Date {
  return CronExpressionParser.parse(line, { currentDate, tz }).next().toDate()
}

/** Caches the last result: every sweep needs the same time, and evaluating a cron line takes a millisecond. */
function cacheLast(next: (after: Date) => Date): (after: Date) => Date {
  let last: { after: number; next: Date } | null = null
  return (after) => {
    if (last?.after !== after.getTime()) last = { after: after.getTime(), next: next(after) }
    return last.next
  }
}
