// When to read the report next. Pure. Young requests are looked at often, old ones ever more seldom: a tenth of their age later.

export interface Cadence {
  everyMs: number
  slowestMs: number
}

/**
 * @param youngestMs how long ago the youngest open row last changed; null when nothing is open
 * @param tookMs how long the last reading took: reading takes a third of the time at most, the rest is for sending
 */
export function nextLookMs(youngestMs: number | null, cadence: Cadence, tookMs = 0): number {
  if (youngestMs === null) return cadence.slowestMs
  return Math.min(cadence.slowestMs, Math.max(cadence.everyMs, youngestMs / 10, tookMs * 2))
}
