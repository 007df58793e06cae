// Limits calls by the strictest reading of "n per second": no sliding window has more than n admitted calls. In memory.

/** Records when calls were admitted, per name. Times are monotonic milliseconds from the caller. */
export class SlidingLog {
  readonly #limit: number
  readonly #windowMs: number
  readonly #admitted = new Map<string, number[]>()

  constructor(limit: number, windowMs = 1_000) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /**
   * Records the call and returns true if fewer calls than the limit were admitted in the current window. Refused calls
   * are not recorded.
   */
  admit(name: string, nowMs: number): boolean {
    const times = (this.#admitted.get(name) ?? []).filter((at) => nowMs - at < this.#windowMs)
    const free = times.length < this.#limit
    if (free) times.push(nowMs)
    this.#admitted.set(name, times)
    return free
  }
}
