// Whether a decision closes a call, for models of a call. Pure.

import type { Decision } from '#src/issuing/reconcile/decision.ts'

/** Returns false if the report must be read again for this call. */
export function closesCall(decision: Decision): boolean {
  return decision.steps.at(-1)?.to !== 'unconfirmed'
}
