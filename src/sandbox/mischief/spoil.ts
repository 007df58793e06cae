// How a call's answer is spoiled, and how much of the call is carried out all the same.

import type { Mischief } from './mischief.ts'

export type SpoilKind = 'partial commit' | 'throttled' | 'envelope 500' | 'html 502' | 'truncated' | 'lost'

export interface Spoil {
  kind: SpoilKind
  commit: 'nothing' | 'part' | 'all'
}

/** Every spoil with its share of the calls, in a fixed order. */
export function spoilShares(mischief: Mischief): [number, Spoil][] {
  const { partialCommit, throttledAfter, envelope500, html502, truncated, lost } = mischief
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

/** The spoil that a number from 0 to 1 falls on, or null. `invites`: whether the call is an invitation. */
export function spoilOf(mischief: Mischief, invites: boolean, drawn: number): Spoil | null {
  if (!invites && mischief.spoiledCalls !== 'all') return null
  let reached = 0
  for (const [share, spoil] of spoilShares(mischief)) {
    reached += share
    if (drawn < reached) return spoil.kind === 'partial commit' && !invites ? null : spoil
  }
  return null
}
