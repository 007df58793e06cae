// Decides when to read the report next: often while something has changed recently, and later after a tenth of the time
// since. Pure.

export interface Cadence {
  /** The shortest wait between two scans, in milliseconds. */
  everyMs: number
  /** The longest wait between two scans, in milliseconds. */
  slowestMs: number
}

/**
 * Returns how many milliseconds to wait before the next scan. Whatever is sent meanwhile makes it due within the
 * shortest wait.
 * @param ageMs how long ago the last change was: of any open row, or of the revocation; null if nothing is open
 * @param tookMs how long the last scan took. The wait is at least half as long
 */
export function nextReadDelayMs(ageMs: number | null, cadence: Cadence, tookMs = 0): number {
  if (ageMs === null) return cadence.slowestMs
  return Math.min(cadence.slowestMs, Math.max(cadence.everyMs, ageMs / 10, tookMs / 2))
}
