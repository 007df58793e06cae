// Turns the day numbers of a workbook into ISO text.

const dayMs = 86_400_000
const daySeconds = 86_400
const lastDay = 2_958_465 // 9999-12-31
const days1904 = 1_462

/**
 * `45352` is `2024-03-01`, `45352.5` is `2024-03-01T12:00:00`, `0.5` is the time of day `12:00:00`, all to the second.
 * Undefined for numbers outside of the calendar. Only UTC parts are used: a local Date moved birthdays by a day.
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

/** Day 60 is 29 February 1900, which never was; before it every number is one day further than after it. */
function isoDay1900(day: number): string {
  if (day === 60) return '1900-02-29'
  return isoDay(day < 60 ? day + 1 : day)
}

function isoDay(daysSince1899: number): string {
  return new Date(Date.UTC(1899, 11, 30) + daysSince1899 * dayMs).toISOString().slice(0, 10)
}
