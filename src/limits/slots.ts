// The allowance behind a gate: permission to send once, now.

/**
 * The seam between one process and many. `openLocalSlots` keeps the log of sends in this process's memory; where several
 * processes share one key, another implementation keeps the same log in Redis, and neither the gate nor its callers change.
 */
export interface Slots {
  /**
   * Resolves in the tick in which one send is allowed; that send is then counted as made. A taker must send at once:
   * an allowance kept for later would fall into somebody else's second. Rejects with the signal's reason.
   */
  take(signal?: AbortSignal): Promise<void>
}
