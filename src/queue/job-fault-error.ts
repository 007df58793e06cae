// What BullMQ is allowed to store about a failed run.

/**
 * The class name of an error, or `Error` when the name is not one. Some libraries put their message into the name, so
 * only the shape of an identifier passes.
 */
export function faultName(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  return /^[A-Za-z][A-Za-z0-9]{0,60}$/.test(name) ? name : 'Error'
}

/** A reason as we write our codes (`course-not-approved`), or `unspecified`: a sentence could carry somebody's data. */
export function faultCode(why: string): string {
  return /^[a-z][a-z0-9_-]{0,60}$/.test(why) ? why : 'unspecified'
}

/**
 * A failed run, reduced to the class and the upper-case code of its error. BullMQ keeps an error's message and stack in clear and
 * dashboards show them, and the text of a foreign error may hold a recipient or a token. The name is ours as well: BullMQ
 * takes an error *named* DelayedError for a move that it does not see has not happened.
 */
export class JobFaultError extends Error {
  override readonly name = 'JobFaultError'

  constructor(cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)
    super(known ? `${faultName(cause)} (${code})` : faultName(cause))
    this.stack = this.message
  }
}
