// The error with which the twin refuses what the database refuses, with the same SQLSTATE.

/**
 * `code`: 23000 a transition outside the lifecycle or a run out of balance, 23505 not unique, 23514 a check, 23503 an
 * unknown reference.
 */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError'
  readonly code: '23000' | '23503' | '23505' | '23514'
  constructor(code: ConstraintError['code'], message: string) {
    super(message)
    this.code = code
  }
}
