// The gate in front of a limited endpoint, as its callers see it: runs work when the limit permits.

export interface GateCounts {
  /** Tasks that have not begun. */
  waiting: number
  /** Tasks that have begun and not ended. */
  running: number
  /** Tasks begun since the gate was created. */
  sent: number
  paused: boolean
  /** Milliseconds until it opens again. */
  pausedMs: number
  /** Tasks begun within the last 1000 ms. */
  lastSecond: number
}

export interface PassOptions {
  priority?: number
  /** How long the work can wait for a pause to end, in milliseconds. Default: no limit. */
  mayWaitMs?: number
}

/** One request that may be sent now. */
export interface Passage {
  /** Records that the service has accepted the request. Call this at the end of the answer. */
  noteAccepted(): void
}

export interface Gate {
  /**
   * Runs `work` as soon as the limit permits, in the same tick in which that was checked, and returns its result.
   * Priority 0 (first) to 9 (last), default 5. Rejects without running `work`: with LimitsClosedError once stopped, and
   * with GateShutError if the gate is paused for longer than `mayWaitMs`.
   */
  pass<T>(work: (passage: Passage) => Promise<T>, options?: PassOptions): Promise<T>
  /**
   * Call this when the service refused a request because of the rate: nothing passes for the milliseconds that it
   * named, here and in every process that shares the limit, and the margin is widened for a while. If pauses overlap,
   * the one that ends last counts. Null means that it named none: the pause is as long as six sends, which is what a
   * full second needs, or a second and then twice as long each time if refusals follow one another in any of the
   * processes. `sentMs` is when the request was sent, on the monotonic clock. Default: now.
   */
  pause(namedMs: number | null, options?: { sentMs?: number }): void
}
