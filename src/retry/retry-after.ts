// Reads the Retry-After header: how long an answer asks us to stay away.

// RFC 9110 10.2.3 allows seconds or an HTTP date. Date.parse alone would take "12 Mar" and "2026" too, so a date must
// begin with its day name, which all three HTTP date forms do.
const seconds = /^\d{1,9}$/
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/**
 * Milliseconds to wait by a Retry-After header, seen at `now`; 0 for a date that has passed; null when the header is
 * absent or is neither seconds nor an HTTP date.
 */
export function parseRetryAfter(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (seconds.test(text)) return Number(text) * 1_000
  if (!httpDate.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
