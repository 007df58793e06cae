// The result of a decision about a row: the steps to take and their consequences. Pure.

import type { State } from '#src/domain/credential/state.ts'

export interface Step {
  to: State
  /** What happened, in a few words; recorded in the row's history. */
  event: string
  /** An explanation for users that is stored with the row; null if there is nothing to explain. */
  reason: string | null
}

export interface Decision {
  /** The steps in order, starting from the row's current state. If empty, the row keeps its state. */
  steps: readonly Step[]
  /** How many milliseconds to wait before a row that ends in `pending` may be sent. */
  waitMs: number
  /** The largest batch in which the row may be sent again; null leaves the limit unchanged. */
  batchCap: number | null
  /** Whether this is one of the row's automatic resends. */
  countsAsResend: boolean
  /** Whether this scan of the report counts as a look that did not show the row. */
  countsAsLook: boolean
  /** The maximum number of recipients in one call that the service seems to accept; null if unknown. */
  batchLimit: number | null
}

/** Nothing changes. */
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
