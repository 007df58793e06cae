// The allowance behind a gate: permission to send once, now.

/** A pause that the service wants of everybody who shares the allowance. */
export interface Pause {
  ms: number
  /** Whether the service named the time itself (Retry-After). Otherwise it is a step of ours, and repeated ones double it. */
  asked: boolean
}

/**
 * The seam between one process and many. `openLocalSlots` keeps the log of sends in this process's memory; `openRedisSlots` keeps
 * it in Redis for all processes that share one key, and neither the gate nor its callers know the difference.
 */
export interface Slots {
  /**
   * Resolves with 0 in the tick in which one send is allowed; that send is then counted as made. A taker must send at once:
   * an allowance kept for later would fall into somebody else's second. Resolves with a number of milliseconds when there is
   * nothing to be had for so long (a pause, or Redis is away): nothing was counted, come again then. Rejects with the signal's reason.
   */
  take(signal?: AbortSignal): Promise<number>
  /** The service refused a send. Nobody gets a slot for so long, and for a while the pace is a little slower. */
  pause(pause: Pause): void
}
