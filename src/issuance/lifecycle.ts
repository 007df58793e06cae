// Every allowed step between states. The database holds the same list and refuses anything else
// (src/ledger/migrations/0001-ledger.sql); a test compares the two.
// Why a few steps are here that the drawing in docs/architecture.md leaves implicit: docs/decisions/0004-steps.md.

import type { State } from './state.ts'

export const steps: Readonly<Record<State, readonly State[]>> = {
  pending: ['sending', 'unconfirmed'],
  sending: ['requested', 'unconfirmed', 'failed'],
  unconfirmed: ['requested', 'pending', 'held'],
  requested: ['in_progress', 'held'],
  in_progress: ['issued', 'rejected', 'failed', 'held'],
  issued: ['revoked'],
  rejected: [],
  failed: ['pending'],
  held: ['requested', 'pending'],
  revoked: [],
}

export function mayStep(from: State, to: State): boolean {
  return steps[from].includes(to)
}

/**
 * The steps that lead from one state to another along the report's own road (requested → in_progress → issued → revoked).
 * The report is looked at now and then, so it may show `issued` while the ledger still says `requested`: the ledger then walks
 * both steps. An empty list means that there is nothing to do; null that no road leads there, such as backwards.
 */
export function roadTo(from: State, to: State): State[] | null {
  if (from === to) return []
  const roads: Partial<Record<State, State[]>> = {
    requested: ['requested'],
    in_progress: ['requested', 'in_progress'],
    issued: ['requested', 'in_progress', 'issued'],
    rejected: ['requested', 'in_progress', 'rejected'],
    failed: ['requested', 'in_progress', 'failed'],
    revoked: ['requested', 'in_progress', 'issued', 'revoked'],
  }
  const road = roads[to]
  if (!road) return null
  if (from === 'sending' || from === 'unconfirmed') return road
  const at = road.indexOf(from)
  return at === -1 ? null : road.slice(at + 1)
}
