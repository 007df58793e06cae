// What a caller of a limited endpoint sees: a gate that lets work through when the allowance permits it.

export interface GateCounts {
  /** Passes asked for whose work has not begun. */
  waiting: number
  /** Works begun and not yet ended. */
  running: number
  /** Works begun since the gate opened. */
  sent: number
  paused: boolean
  /** Works begun within the last 1000 ms. */
  lastSecond: number
}

export interface PassOptions {
  priority?: number
  /** Milliseconds of a pause that the work can wait for. Default: for ever. */
  mayWaitMs?: number
}

export interface Gate {
  /**
   * Runs `work` as soon as the allowance permits, in the same tick in which that was checked, and gives back what it
   * gives. Priority 0 (first) to 9 (last), default 5. Rejects with LimitsClosedError, without running, once stopped, and with
   * GateShutError when the gate is paused for longer than `mayWaitMs`.
   */
  pass<T>(work: () => Promise<T>, options?: PassOptions): Promise<T>
  /**
   * The service refused: lets nothing pass for `ms` milliseconds from now, here and in every process that shares the allowance, and
   * widens the margin for a while. Of several pauses the one that ends last wins. `asked: false` says that the time is a guess
   * of ours, which doubles when refusals follow one another, whichever process they meet. Default true.
   */
  pause(ms: number, options?: { asked?: boolean }): void
  counts(): GateCounts
}
