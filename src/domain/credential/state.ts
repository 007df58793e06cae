// The states of an issuance, and groups of them. The names of the states are a contract: external scripts read them
// from `issue --json`. Pure.

export const states = [
  'pending',
  'sending',
  'unconfirmed',
  'requested',
  'in_progress',
  'issued',
  'rejected',
  'failed',
  'held',
  'revoked',
] as const

export type State = (typeof states)[number]

export type StateCounts = Record<State, number>

/** States that no row leaves automatically. */
export const finalStates: readonly State[] = ['issued', 'rejected', 'failed', 'revoked']

/**
 * The final states and `held`: states in which waiting for a row is pointless, because only an operator can decide
 * about a held row.
 */
export const restingStates: readonly State[] = [...finalStates, 'held']

/** States in which an operator has something to do. */
export const needsOperatorStates: readonly State[] = ['rejected', 'failed', 'held']

/** States of rows whose call has not been made, or has not ended. */
export const unsentStates: readonly State[] = ['pending', 'sending']

/** States of rows that were sent, and whose next state the credential report decides. */
export const watchedStates: readonly State[] = ['unconfirmed', 'requested', 'in_progress']

export function noStates(): StateCounts {
  return Object.fromEntries(states.map((state) => [state, 0])) as StateCounts
}

export function countIn(counts: StateCounts, counted: readonly State[]): number {
  return counted.reduce((sum, state) => sum + counts[state], 0)
}

export function totalOf(counts: StateCounts): number {
  return countIn(counts, states)
}
