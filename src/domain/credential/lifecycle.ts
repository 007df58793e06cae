// Lists every allowed step between the states of an issuance. The database has the same list and rejects any other step
// (`lifecycle_step`, in src/ledger/migrations); a test compares the two; docs/decisions/0004-steps.md explains
// the less obvious ones. Pure.

import type { State } from './state.ts'

export const steps: Readonly<Record<State, readonly State[]>> = {
  pending: ['sending', 'unconfirmed', 'failed'],
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
 * Finds the steps from one state to another along the path that the report follows (requested → in_progress → issued →
 * revoked). The report is read only at intervals, so it may show `issued` while the ledger still says `requested`; the
 * ledger then takes both steps.
 * @returns an empty list if the states are the same; null if no path leads there, for example backwards
 */
export function stepsTo(from: State, to: State): State[] | null {
  if (from === to) return []
  const paths: Partial<Record<State, State[]>> = {
    requested: ['requested'],
    in_progress: ['requested', 'in_progress'],
    issued: ['requested', 'in_progress', 'issued'],
    rejected: ['requested', 'in_progress', 'rejected'],
    failed: ['requested', 'in_progress', 'failed'],
    revoked: ['requested', 'in_progress', 'issued', 'revoked'],
  }
  const path = paths[to]
  if (!path) return null
  if (from === 'sending' || from === 'unconfirmed') return path
  const at = path.indexOf(from)
  return at === -1 ? null : path.slice(at + 1)
}
