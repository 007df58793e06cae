// The error for decisions of people that cannot be carried out.

/** A decision cannot be carried out. The message says why and what to do; nothing was changed. */
export class RefusedDecisionError extends Error {
  override readonly name = 'RefusedDecisionError'
}
