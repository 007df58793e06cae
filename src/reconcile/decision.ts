// What is to happen to a row: the steps it takes, and what else follows. The same shape for whatever was decided.

import type { State } from '#src/issuance/state.ts'

export interface Step {
  to: State
  /** Why, in a few words; the line in the row's history. */
  event: string
  /** A sentence for people, kept with the row; null where there is nothing to explain. */
  reason: string | null
}

export interface Decision {
  /** In order, from the row's present state; none: it stays where it is. */
  steps: readonly Step[]
  /** Milliseconds until a row that ends in `pending` may be sent. */
  waitMs: number
  /** It travels on in batches of at most so many; null leaves it as it is. */
  batchCap: number | null
  /** The one automatic re-send of the row's life is used up by this. */
  countsAsResend: boolean
  /** This reading of the report counts as a look that did not show the row. */
  countsAsLook: boolean
  /** The most recipients in one call that the service seems to take; null where it has said nothing about that. */
  batchLimit: number | null
}

/** Nothing happens. */
export const stay: Decision = {
  steps: [],
  waitMs: 0,
  batchCap: null,
  countsAsResend: false,
  countsAsLook: false,
  batchLimit: null,
}

export function take(steps: readonly Step[], more: Partial<Decision> = {}): Decision {
  return { ...stay, ...more, steps }
}
