// Which operator made a decision and why, as recorded in the history. A type only.

export interface OperatorDecision {
  by: string
  why: string
}
