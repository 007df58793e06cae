// The strictest reading of "n per second": no sliding window ever holds more than n admitted calls.

/** Remembers when calls were admitted, per name. Times are monotonic milliseconds, given by the caller. */
export class SlidingLog {
  readonly #limit: number
  readonly #windowMs: number
  readonly #admitted = new Map<string, number[]>()

  constructor(limit: number, windowMs = 1_000) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /** True, and remembered, when fewer than the limit were admitted in the window before now. A refusal leaves no trace. */
  admit(name: string, nowMs: number): boolean {
    const times = (this.#admitted.get(name) ?? []).filter((at) => nowMs - at < this.#windowMs)
    const free = times.length < this.#limit
    if (free) times.push(nowMs)
    this.#admitted.set(name, times)
    return free
  }
}
