// Decides when to read the report next: often while requests are recent, and later after a tenth of their age. Pure.

export interface Cadence {
  /** The shortest wait between two scans, in milliseconds. */
  everyMs: number
  /** The longest wait between two scans, in milliseconds. */
  slowestMs: number
}

export interface LastScan {
  tookMs: number
  /** Whether rows are still to be sent. */
  unsent: boolean
}

/**
 * Returns how many milliseconds to wait before the next scan.
 * @param youngestMs how long ago the most recent open row last changed; null if no row is open
 * @param lastScan while rows are still to be sent, reading takes at most a third of the time, and otherwise two thirds
 */
export function nextReadDelayMs(youngestMs: number | null, cadence: Cadence, lastScan?: LastScan): number {
  if (youngestMs === null) return cadence.slowestMs
  const restMs = lastScan ? lastScan.tookMs * (lastScan.unsent ? 2 : 0.5) : 0
  return Math.min(cadence.slowestMs, Math.max(cadence.everyMs, youngestMs / 10, restMs))
}
