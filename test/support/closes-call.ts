// For models of a call: whether anything more can come of it.

import type { Decision } from '#src/reconcile/decision.ts'

/** False while the report has to be asked about it. */
export function closesCall(decision: Decision): boolean {
  return decision.steps.at(-1)?.to !== 'unconfirmed'
}
