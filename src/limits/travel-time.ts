// How long an answer of Redis will probably take to come back: the slot must not be over when it arrives.

/** The longest lead that is asked for. */
const mostMs = 500

export interface TravelTime {
  /** One question was answered after so many milliseconds. */
  note(ms: number): void
  /** Milliseconds from Redis's deciding until its answer is here, on the safe side. */
  leadMs(): number
}

/** Smoothed mean and deviation, weighed as TCP does (RFC 6298, 2.3). */
export function openTravelTime(): TravelTime {
  let mean = 0
  let deviation = 0
  let known = false
  return {
    note(measuredMs) {
      // One answer that was read late, by a process that stalled, says little of the next: measured, a lead that covers stalls of 60 ms
      // costs a fifth of the pace. A way that has become longer is learned in some steps.
      const ms = known ? Math.min(measuredMs, 3 * mean + 2) : measuredMs
      deviation = known ? deviation * 0.75 + Math.abs(mean - ms) * 0.25 : ms / 2
      mean = known ? mean * 0.875 + ms * 0.125 : ms
      known = true
    },
    leadMs: () => Math.min(mostMs, mean / 2 + 2 * deviation),
  }
}
