// Interprets HTTP responses: parses the Retry-After header, and decides whether a status means success. Pure.

// RFC 9110 10.2.3 allows seconds or an HTTP date. Date.parse alone would also accept "12 Mar" and "2026", so a date
// must begin with the day name, as all three HTTP date formats do.
const seconds = /^\d{1,9}$/
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/**
 * Returns the milliseconds to wait according to a Retry-After header received at `now`. Returns 0 for a date in the
 * past, and null if the header is absent or invalid.
 */
export function parseRetryAfter(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (seconds.test(text)) return Number(text) * 1_000
  if (!httpDate.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}

/** Whether a status means success. Redirects are not followed, so 3xx does not. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300
}
