// What BullMQ is allowed to store about a failed run.

import { faultName } from '#src/log/fault-name.ts'

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
    super(faultName(cause))
    this.stack = this.message
  }
}
