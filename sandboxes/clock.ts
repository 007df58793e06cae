// The clock that the sandboxes use. They share nothing with the program, so they declare their own.

export interface Clock {
  now(): Date
  /** Milliseconds that never run backwards. */
  monotonicMs(): number
  /** Rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
