// The interface of a token store, which holds the token and decides which caller renews it. A store is either local to
// this process or shared by several processes.

import type { TokenPair } from './token-calls.ts'

export interface StoredToken {
  /** The id of the turn in which the token was made. Tokens with the same turn id are the same token. */
  turnId: string
  access: string
  /** On this process's monotonic clock, in milliseconds: the token was made at this time or later. */
  bornMs: number
}

export interface RenewalLease {
  /** Milliseconds after which `extend` is due. */
  extendAfterMs: number
  /** Makes the turn expire one lease from now. Never rejects. */
  extend(): Promise<void>
}

/** The exclusive right to renew the token. None of its methods rejects. */
export interface RenewalTurn {
  /** The id of this turn, and of the token that is made in it. */
  turnId: string
  /**
   * The refresh token, which is removed from the store when the turn begins, so that no other process can use it. Null
   * if there is none: then only key and secret can be used.
   */
  refresh: string | null
  /** How to keep the turn, which expires unless its holder extends it; null if it does not expire. */
  lease: RenewalLease | null
  /**
   * Stores the pair for all callers. Returns false, without changing anything, if another process has since taken the
   * turn or the store is unavailable.
   */
  put(pair: TokenPair): Promise<boolean>
  /** Ends the turn after a failed renewal, so that the next caller may try immediately. */
  giveUp(): Promise<void>
}

export type TakeResult =
  /** A different token from the known one. */
  | { kind: 'token'; token: StoredToken }
  | { kind: 'turn'; turn: RenewalTurn }
  /** Another caller is renewing. */
  | { kind: 'wait' }
  /** The store does not answer. */
  | { kind: 'unavailable' }

export interface TokenStore {
  /** Requests a token other than the one with the id `knownTurnId`, or the turn to make one. Never rejects. */
  take(knownTurnId: string | null): Promise<TakeResult>
}

/**
 * Milliseconds after which a turn expires if its holder does not extend it. Longer than any pause of a busy process.
 */
export const defaultLeaseMs = 5_000
