// Estimates how long Redis's next answer will take to arrive, because a slot must not be past when its answer arrives.
// Performs no I/O.

/** The longest lead that is requested. */
const maxLeadMs = 500

export interface LatencyEstimate {
  /** Records that one request was answered after `ms` milliseconds. */
  note(ms: number): void
  /** Milliseconds from Redis's decision to the arrival of its answer, estimated conservatively. */
  leadMs(): number
}

/** Smoothed mean and deviation, weighted as in TCP (RFC 6298, 2.3). */
export function openLatencyEstimate(): LatencyEstimate {
  let mean = 0
  let deviation = 0
  let known = false
  return {
    note(measuredMs) {
      // A single answer that a stalled process read late says little about the next one, and a lead that covers stalls
      // of 60 ms was measured to cost a fifth of the throughput. The estimate adapts to a permanently slower connection
      // within a few answers.
      const ms = known ? Math.min(measuredMs, 3 * mean + 2) : measuredMs
      deviation = known ? deviation * 0.75 + Math.abs(mean - ms) * 0.25 : ms / 2
      mean = known ? mean * 0.875 + ms * 0.125 : ms
      known = true
    },
    leadMs: () => Math.min(maxLeadMs, mean / 2 + 2 * deviation),
  }
}
