// Converts times on Redis's clock to this process's own clock, from the times of requests and answers. Performs no
// I/O.

/** Two clocks drift apart by at most this much while one of them is being corrected (NTP slews by 500 ppm). */
const driftPerMs = 0.0005

/** Comparing two measurements allows for the rounding of both clocks. */
const roundingMs = 1

export interface RemoteClock {
  /**
   * Records that the remote clock showed `remoteMs` at some time between `askedMs` and `answeredMs` on our own clock.
   * The most precise measurement is kept, because an answer that arrived or was read late says little. A measurement
   * that contradicts it shows that a clock was set, and replaces it.
   */
  note(askedMs: number, remoteMs: number, answeredMs: number): void
  /** Returns the time on our own clock. Call this after `note`. */
  toLocal(remoteMs: number): number
  /**
   * Returns by how many milliseconds toLocal may be wrong in either direction, at `nowMs` on our own clock; Infinity
   * before the first `note`.
   */
  doubtMs(nowMs: number): number
}

export function openRemoteClock(): RemoteClock {
  let known = { offset: 0, doubt: Number.POSITIVE_INFINITY, at: 0 }
  const doubtMs = (nowMs: number) => known.doubt + Math.max(0, nowMs - known.at) * driftPerMs
  return {
    note(askedMs, remoteMs, answeredMs) {
      const doubt = (answeredMs - askedMs) / 2
      const offset = remoteMs - askedMs - doubt
      const agrees = Math.abs(offset - known.offset) <= doubt + doubtMs(answeredMs) + roundingMs
      if (!agrees || doubt <= doubtMs(answeredMs)) known = { offset, doubt, at: answeredMs }
    },
    toLocal: (remoteMs) => remoteMs - known.offset,
    doubtMs,
  }
}
