// The small shape of a gate that the issuer needs; what stands behind it (a limiter, shared or not) is handed in.

export interface Gate {
  /**
   * Runs `work` when the limit allows it, in the tick in which that was checked. Rejects without running when closed, or when it is paused
   * for longer than `mayWaitMs`; such an error says in `retryAfterMs` for how long.
   */
  pass<T>(work: () => Promise<T>, options?: { priority?: number; mayWaitMs?: number }): Promise<T>
  /** Lets nothing pass for `ms` milliseconds. `asked` tells whether the service named that time (default), or it is a guess of ours. */
  pause(ms: number, options?: { asked?: boolean }): void
}

export interface IssuerGates {
  /** The gate of one endpoint, by its short name. */
  gate(endpoint: string): Gate
  /** The gate of the two token endpoints together. */
  auth: Gate
}
