// The states of an issuance. Their names are a contract: scripts outside read them from `issue --json`.

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

/** Nothing more will happen to a row in one of these by itself. */
export const finalStates: readonly State[] = ['issued', 'rejected', 'failed', 'revoked']

/** With `held` no machine goes on either: a person decides. Waiting for it would be waiting for ever. */
export const restingStates: readonly State[] = [...finalStates, 'held']

/** Finished, but a person has something to do. */
export const needsPersonStates: readonly State[] = ['rejected', 'failed', 'held']

/** Sent, and the credential report has the next word. */
export const watchedStates: readonly State[] = ['unconfirmed', 'requested', 'in_progress']

export function noStates(): StateCounts {
  return Object.fromEntries(states.map((state) => [state, 0])) as StateCounts
}

export function countIn(counts: StateCounts, of: readonly State[]): number {
  return of.reduce((sum, state) => sum + counts[state], 0)
}

export function totalOf(counts: StateCounts): number {
  return countIn(counts, states)
}
