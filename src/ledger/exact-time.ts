// Times as strings that keep their microseconds, so that the next page can begin at one. Pure.

/** SQL: the time of the column as such a string. */
export const exactTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Whether a string, which may come from an edited address, is such a time: PostgreSQL refuses 30 February. */
export function isExactTime(text: string): boolean {
  // PostgreSQL has no year 0.
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text)) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 23) === text.slice(0, 23)
}

/**
 * Reads where a page begins, which may come from an edited address.
 * @param form with the time as its first group
 * @returns the groups; null if it is malformed, or has no such time
 */
export function readCursor(cursor: string | null | undefined, form: RegExp): string[] | null {
  const parts = form.exec(cursor ?? '')?.slice(1)
  return parts && isExactTime(parts[0] ?? '') ? parts : null
}
