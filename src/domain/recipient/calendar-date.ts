// Parses and formats dates in the service's format (YYYY-MM-DD). Dates are checked against the calendar without using
// the Date class, so that no time zone can shift them. Pure.

const isoShape = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|\+00:?00)?)?$/

/** Formats a day as `YYYY-MM-DD`; null if the Gregorian calendar has no such day. Month and day count from 1. */
export function calendarDate(year: number, month: number, day: number): string | null {
  if (year < 1 || year > 9999 || month < 1 || month > 12) return null
  if (day < 1 || day > daysIn(year, month)) return null
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** The result of reading a string as an ISO date: the date, or what is wrong with it. */
export type IsoReading = { date: string } | { fault: 'shape' | 'no_such_day' | 'time' }

/**
 * Reads `YYYY-MM-DD`, optionally followed by a time of zero, because that is the text of a date cell of a spreadsheet.
 * Any other time, or a zone other than UTC, could mean the previous or the next day elsewhere, so it is refused rather
 * than rounded.
 */
export function readIsoDate(text: string): IsoReading {
  const match = isoShape.exec(text)
  if (!match) return { fault: 'shape' }
  if (/[1-9]/.test(match[4] ?? '')) return { fault: 'time' }
  const date = calendarDate(Number(match[1]), Number(match[2]), Number(match[3]))
  return date ? { date } : { fault: 'no_such_day' }
}
