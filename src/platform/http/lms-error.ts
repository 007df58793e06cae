// The base class of every error that a learning-system client throws. The error says what the caller should do next. Pure.

/** What an error from a learning system means for the caller, whatever kind of system it is. */
export interface SystemFailure {
  /** The name of the error class. */
  name: string
  /**
   * `away`: the system is unavailable, try again later. `refused`: an operator must act first. `record`: only this
   * learner or course fails.
   */
  kind: 'away' | 'refused' | 'record'
  /** The message for the operator, without personal data. */
  sentence: string
  /** True when only this course, or this call, is affected: other calls may succeed. */
  isOfCourse: boolean
  /** The system's own error code; null when it has none. */
  code: string | null
  /** How many milliseconds the system asked us to wait before the next call; null when it did not. */
  retryAfterMs: number | null
}

interface Details extends Omit<SystemFailure, 'name' | 'kind' | 'sentence'> {
  /** The HTTP status of the response; null if there was none, or it does not matter. */
  status: number | null
}

export abstract class LmsError extends Error {
  readonly failure: Omit<SystemFailure, 'name' | 'sentence'>
  readonly status: number | null

  /** @param sentence the message for the operator, without personal data */
  constructor(kind: SystemFailure['kind'], sentence: string, details: Partial<Details> = {}) {
    super(sentence)
    const { isOfCourse = kind !== 'away', code = null, retryAfterMs = null, status = null } = details
    this.failure = { kind, isOfCourse, code, retryAfterMs }
    this.status = status
  }
}

/** @returns null for any other error, which is a bug in credsync */
export function systemFailureOf(error: unknown): SystemFailure | null {
  if (!(error instanceof LmsError)) return null
  const { name, message: sentence, failure } = error
  return { name, sentence, ...failure }
}
