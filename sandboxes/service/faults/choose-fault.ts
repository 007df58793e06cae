// Chooses the fault in the response to a call, and how much of the call is carried out nevertheless. Pure.

import type { Faults } from './faults.ts'

export type FaultKind = 'partial commit' | 'throttled' | 'envelope 500' | 'html 502' | 'truncated' | 'lost'

export interface AnswerFault {
  kind: FaultKind
  commit: 'nothing' | 'part' | 'all'
}

/** Returns every response fault with its share of the calls, in a fixed order. */
export function faultShares(faults: Faults): [number, AnswerFault][] {
  const { partialCommit, throttledAfter, envelope500, html502, truncated, lost } = faults
  return [
    [partialCommit?.share ?? 0, { kind: 'partial commit', commit: 'part' }],
    [throttledAfter?.share ?? 0, { kind: 'throttled', commit: 'all' }],
    [envelope500?.applied ?? 0, { kind: 'envelope 500', commit: 'all' }],
    [envelope500?.notApplied ?? 0, { kind: 'envelope 500', commit: 'nothing' }],
    [html502?.before ?? 0, { kind: 'html 502', commit: 'nothing' }],
    [html502?.after ?? 0, { kind: 'html 502', commit: 'all' }],
    [truncated?.before ?? 0, { kind: 'truncated', commit: 'nothing' }],
    [truncated?.after ?? 0, { kind: 'truncated', commit: 'all' }],
    [lost?.before ?? 0, { kind: 'lost', commit: 'nothing' }],
    [lost?.after ?? 0, { kind: 'lost', commit: 'all' }],
  ]
}

/**
 * Returns the fault for a random number from 0 to 1, or null.
 * @param invites whether the call is an invitation
 */
export function faultOf(faults: Faults, invites: boolean, drawn: number): AnswerFault | null {
  if (!invites && faults.spoiledCalls !== 'all') return null
  let reached = 0
  for (const [share, spoil] of faultShares(faults)) {
    reached += share
    if (drawn < reached) return spoil.kind === 'partial commit' && !invites ? null : spoil
  }
  return null
}
