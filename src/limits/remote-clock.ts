// Where a moment on Redis's clock lies on this process's own. Pure arithmetic on the times of questions and answers.

/** Two clocks drift apart by at most this much while one of them is being corrected (NTP slews by 500 ppm). */
const driftPerMs = 0.0005

/** Agreement of two measurements allows for the rounding of both clocks. */
const roundingMs = 1

export interface RemoteClock {
  /**
   * Notes that the remote clock showed `remoteMs` at some moment between `askedMs` and `answeredMs` of the own one. The narrowest
   * measurement counts: an answer that came late, or was read late, says little. One that contradicts it tells that a clock was set.
   */
  note(askedMs: number, remoteMs: number, answeredMs: number): void
  /** The moment on the own clock. Call it after `note`. */
  toLocal(remoteMs: number): number
  /** Milliseconds by which toLocal may be wrong to either side, at `nowMs` of the own clock; Infinity before the first note. */
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
