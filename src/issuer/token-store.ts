// Where the token is kept and whose turn it is to renew it: the small shape that openTokens needs. In this process or shared, never both.

import type { TokenPair } from './token-calls.ts'

export interface StoredToken {
  /** Name of the turn in which it was made. Two tokens are the same when these are. */
  made: string
  access: string
  /** This process's monotonic milliseconds: the token is at most this old. */
  bornMs: number
}

/** The right to renew, held by one at a time. It lapses unless it is kept up; nothing here rejects. */
export interface RenewalTurn {
  /** The name that the new token bears. */
  made: string
  /** Gone from the store with this turn, so that nobody else can use it. Null: only key and secret are left. */
  refresh: string | null
  /** Milliseconds after which `keepUp` is due; null where the turn does not lapse. */
  keepUpMs: number | null
  /** Says that the holder lives. */
  keepUp(): Promise<void>
  /** Puts the pair in, for all. False when somebody has had the turn since, or the store is away: nothing is changed then. */
  put(pair: TokenPair): Promise<boolean>
  /** Nothing came of it: the next one may try at once. */
  giveUp(): Promise<void>
}

export type Taken =
  /** Another token than the one that is known. */
  | { kind: 'token'; token: StoredToken }
  | { kind: 'turn'; turn: RenewalTurn }
  /** Somebody else is renewing. */
  | { kind: 'wait' }
  /** The store does not answer. */
  | { kind: 'away' }

export interface TokenStore {
  /** Asks for another token than `known` (its `made`), or for the turn to make one. Never rejects. */
  take(known: string | null): Promise<Taken>
}

/** Milliseconds for which a turn holds when its holder is not heard of: some seconds, and longer than a busy process is silent. */
export const usualLeaseMs = 5_000
