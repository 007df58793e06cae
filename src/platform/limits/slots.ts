// The interface of the slots behind a gate. A slot is the permission to send one request now.

import type { AcceptedSend } from './margin-estimate.ts'

/** A pause that applies to every process that shares the limit. */
export interface GatePause {
  ms: number
  /** How long ago the refused request was sent, in milliseconds. */
  sentAgoMs: number
  /**
   * Whether the service named the time itself (Retry-After). Otherwise the time is our own guess, which doubles when
   * repeated.
   */
  namedByService: boolean
}

/**
 * Hides from a gate whether its limit is shared with other processes. `openLocalSlots` keeps the log of sends in this
 * process's memory; `openRedisSlots` keeps it in Redis for all processes that share one key.
 */
export interface Slots {
  /**
   * Resolves with 0 in the tick in which one send is allowed; that send then counts as made. The caller must send in
   * the same tick, because a slot kept for later would fall into another second. Resolves with a number of milliseconds
   * if no slot is available for that long (a pause, or Redis is unavailable): nothing was counted; try again after
   * that. Rejects with the signal's reason.
   */
  take(signal?: AbortSignal): Promise<number>
  /** Records that the service accepted a send. The margin depends on how unevenly such responses arrive. */
  noteAccepted(send: AcceptedSend): void
  /**
   * Records that the service refused a send. No slots are given during the pause, and the rate is slightly lower for a
   * while.
   */
  pause(pause: GatePause): void
}
