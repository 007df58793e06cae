// The interface of the gate in front of a rate-limited endpoint. A gate runs work when the limit permits.

export interface GateCounts {
  /** Tasks that have not started. */
  waiting: number
  /** Tasks that have started but not ended. */
  running: number
  /** Tasks started since the gate was created. */
  sent: number
  paused: boolean
  /** Milliseconds until it opens again. */
  pausedMs: number
  /** Tasks started within the last 1000 ms. */
  lastSecond: number
}

export interface PassOptions {
  priority?: number
  /** How long the work may wait for a pause to end, in milliseconds. Default: no limit. */
  mayWaitMs?: number
}

/** One request that may be sent now. */
export interface Passage {
  /** Records that the service has accepted the request. Call this when the response is complete. */
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
   * Call this when the service has refused a request because of the rate. No work passes for `namedMs`, the
   * milliseconds that the service named, in this process and in every other process that shares the limit, and the
   * margin is widened for a while. If pauses overlap, the one that ends last counts. If `namedMs` is null because the
   * service named no time, the pause lasts as long as six sends. If refusals follow one another in any of the
   * processes, it lasts a second, and then twice as long each time. `sentMs` is when the request was sent, on the
   * monotonic clock. Default: now.
   */
  pause(namedMs: number | null, options?: { sentMs?: number }): void
}
