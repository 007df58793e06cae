// Computes deadlines that recur at a time of day on given days of the week, in a time zone. Pure.

import { parseSchedule } from './schedule.ts'

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/**
 * Parses days such as `mon-fri`, `sat-mon` or `mon,wed,fri`.
 * @returns the days as numbers, with Sunday as 0, in ascending order; null if the text is not in this form
 */
export function parseDays(text: string): number[] | null {
  const found = new Set<number>()
  for (const part of text.toLowerCase().split(',')) {
    const [first = '', last = first, ...more] = part.trim().split('-')
    const [from, to] = [dayNames.indexOf(first), dayNames.indexOf(last)]
    if (from < 0 || to < 0 || more.length > 0) return null
    for (let day = from; ; day = (day + 1) % dayNames.length) {
      found.add(day)
      if (day === to) break
    }
  }
  return [...found].sort((a, b) => a - b)
}

const dayMs = 86_400_000
/** The minimum number of past deadlines to return. */
const minPast = 4

/** @param by `HH:MM` @param days as `parseDays` accepts them @throws TypeError if one of them is invalid */
export function dailyDeadlines(by: string, days: string, timeZone: string) {
  const numbers = parseDays(days)
  const [hour, minute] = by.split(':').map(Number)
  const schedule = parseSchedule(`${minute} ${hour} * * ${numbers?.join(',')}`, timeZone)
  if (!numbers || !schedule) throw new TypeError(`${by} on ${days} is not a deadline`)
  // Computing a deadline takes a millisecond, so they are computed again only once the next one has passed.
  let known: { from: Date; past: Date[]; next: Date } | null = null
  return {
    /**
     * Returns the latest deadlines up to `now`, inclusive, in order, and the one after them. If a change to summer time
     * skips the time of day, the deadline moves later by as much as the clocks go forward. A time that occurs twice is
     * due once.
     */
    around(now: Date): { past: Date[]; next: Date } {
      if (known && known.from <= now && now < known.next) return known
      const from = new Date(now.getTime() - Math.ceil((7 * (minPast + 1)) / numbers.length + 1) * dayMs)
      const past: Date[] = []
      let next = schedule.next(from)
      while (next <= now) {
        past.push(next)
        next = schedule.next(next)
      }
      known = { from: past.at(-1) ?? now, past, next }
      return known
    },
  }
}
