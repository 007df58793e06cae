// Formats times as strings that keep their microseconds, so that they can serve as cursors for paging. Pure.

/** SQL: formats the column's time as such a string. */
export const exactTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/**
 * Returns whether a string is such a time and exists in the calendar. The string may come from an edited URL, and
 * PostgreSQL fails on a date such as 30 February.
 */
export function isExactTime(text: string): boolean {
  // PostgreSQL has no year 0.
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text)) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 23) === text.slice(0, 23)
}

/**
 * Parses a page cursor, which may come from an edited URL.
 * @param form the cursor's pattern, with the time as its first group
 * @returns the groups, or null if the cursor is malformed or its time is invalid
 */
export function readCursor(cursor: string | null | undefined, form: RegExp): string[] | null {
  const parts = form.exec(cursor ?? '')?.slice(1)
  return parts && isExactTime(parts[0] ?? '') ? parts : null
}
