// Decides when to read the report next: often while requests are recent, and later after a tenth of their age. Pure.

export interface Cadence {
  /** The shortest wait between two scans, in milliseconds. */
  everyMs: number
  /** The longest wait between two scans, in milliseconds. */
  slowestMs: number
}

/**
 * Returns how many milliseconds to wait before the next scan. Whatever is sent meanwhile makes it due within the shortest
 * wait.
 * @param youngestMs how long ago the most recent open row last changed; null if no row is open
 * @param tookMs how long the last scan took. Reading takes at most two thirds of the time
 */
export function nextReadDelayMs(youngestMs: number | null, cadence: Cadence, tookMs = 0): number {
  if (youngestMs === null) return cadence.slowestMs
  return Math.min(cadence.slowestMs, Math.max(cadence.everyMs, youngestMs / 10, tookMs / 2))
}
