// Dates as the service wants them (YYYY-MM-DD), checked against the calendar without ever becoming a local Date.

const isoShape = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|\+00:?00)?)?$/

/** `YYYY-MM-DD` for a day that exists in the Gregorian calendar, else null. Month and day count from 1. */
export function calendarDate(year: number, month: number, day: number): string | null {
  if (year < 1 || year > 9999 || month < 1 || month > 12) return null
  if (day < 1 || day > daysIn(year, month)) return null
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** What a text says as an ISO date: the date, or what is wrong with it. */
export type IsoReading = { date: string } | { fault: 'shape' | 'no_such_day' | 'time' }

/**
 * Reads `YYYY-MM-DD`, also with a time of zero behind it, as spreadsheet cells give it. Any other time, or a zone other than
 * UTC, could mean the day before or after somewhere: refused, not rounded.
 */
export function readIsoDate(text: string): IsoReading {
  const match = isoShape.exec(text)
  if (!match) return { fault: 'shape' }
  if (/[1-9]/.test(match[4] ?? '')) return { fault: 'time' }
  const date = calendarDate(Number(match[1]), Number(match[2]), Number(match[3]))
  return date ? { date } : { fault: 'no_such_day' }
}
