// When something that repeats is due: a span such as 5m, or a cron line in a time zone. The only owner of cron-parser, at BullMQ's own
// version of it, so that both reckon alike.

import { CronExpressionParser } from 'cron-parser'
import { parseDuration } from './duration.ts'

export interface Schedule {
  /** Null for a cron line: then what is missed is a time of day that somebody counts on. */
  readonly everyMs: number | null
  readonly text: string
  readonly timeZone: string
  /**
   * The first time after `after`. A time of day that the clocks leave out comes an hour later by them; one that they show twice comes
   * once.
   */
  next(after: Date): Date
}

/**
 * Reads a span (250ms, 15s, 5m, 6h, 1d) or a cron line of five fields (minute, hour, day, month, weekday).
 * @param timeZone an IANA name, such as Europe/Berlin; a span ignores it
 * @returns null when it is neither, or never comes
 */
export function parseSchedule(text: string, timeZone: string): Schedule | null {
  const everyMs = parseDuration(text)
  if (everyMs !== null) return everyMs > 0 ? { everyMs, text, timeZone, next: (after) => later(after, everyMs) } : null
  const line = text.trim()
  // The parser also takes seconds, names such as @daily, an empty text, and H, which is another time at each reading.
  if (line.split(/\s+/).length !== 5 || /(^|[^A-Z])H($|[^A-Z])/i.test(line)) return null
  try {
    nextOf(line, timeZone, new Date(0))
  } catch {
    return null
  }
  return { everyMs: null, text, timeZone, next: remembered((after) => nextOf(line, timeZone, after)) }
}

/** Whether the platform knows a time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}

function later(after: Date, ms: number): Date {
  return new Date(after.getTime() + ms)
}

function nextOf(line: string, tz: string, currentDate: Date): Date {
  return CronExpressionParser.parse(line, { currentDate, tz }).next().toDate()
}

/** The same question is asked at each sweep, and a cron line takes a millisecond. */
function remembered(next: (after: Date) => Date): (after: Date) => Date {
  let last: { after: number; next: Date } | null = null
  return (after) => {
    if (last?.after !== after.getTime()) last = { after: after.getTime(), next: next(after) }
    return last.next
  }
}
