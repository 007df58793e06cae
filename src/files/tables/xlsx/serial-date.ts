// Converts the day numbers of a workbook to ISO text, and back. Pure.

const dayMs = 86_400_000
const daySeconds = 86_400
const lastDay = 2_958_465 // 9999-12-31
const days1904 = 1_462

/**
 * Converts a day number to ISO text, rounded to the second: `45352` to `2024-03-01`, `45352.5` to
 * `2024-03-01T12:00:00`, and `0.5` to the time of day `12:00:00`. Returns undefined for numbers outside the calendar.
 * Only the UTC parts of a Date are used, because local ones shifted birthdays by a day.
 */
export function serialToIso(serial: number, date1904: boolean): string | undefined {
  let day = Math.floor(serial)
  let seconds = Math.round((serial - day) * daySeconds)
  if (seconds === daySeconds) {
    day++
    seconds = 0
  }
  if (day < 0 || day > lastDay - (date1904 ? days1904 : 0)) return undefined
  const time = new Date(seconds * 1000).toISOString().slice(11, 19)
  if (day === 0 && (seconds > 0 || !date1904)) return time
  const date = date1904 ? isoDay(day + days1904) : isoDay1900(day)
  return seconds === 0 ? date : `${date}T${time}`
}

/** Corrects for day 60, 29 February 1900, which never existed: the number of every earlier day is one off. */
function isoDay1900(day: number): string {
  if (day === 60) return '1900-02-29'
  return isoDay(day < 60 ? day + 1 : day)
}

function isoDay(daysSince1899: number): string {
  return new Date(Date.UTC(1899, 11, 30) + daysSince1899 * dayMs).toISOString().slice(0, 10)
}

/**
 * Returns the day number that shows the same date in a workbook that counts from 1899-12-30. A time of day has no date,
 * and a duration (`[h]:mm`) shows its number, so neither is changed.
 */
export function serialIn1900(serial: number, date1904: boolean, format = ''): number {
  const isTime = (serial > 0 && serial < 1) || /\[[hms]+\]/i.test(format)
  return date1904 && !isTime ? serial + days1904 : serial
}

/**
 * Returns the day number of `2024-03-01` or `2024-03-01T12:00:00`; undefined for any other text, and for days before
 * 1900-03-01, for which programs differ.
 */
export function isoToSerial(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/.test(text)) return undefined
  const serial = (Date.parse(text.length > 10 ? `${text}Z` : text) - Date.UTC(1899, 11, 30)) / dayMs
  return serial > 60 && serial < lastDay + 1 ? serial : undefined
}
