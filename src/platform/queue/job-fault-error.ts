// Reduces an error to what BullMQ may store about a failed run.

import { faultName } from '#src/platform/log/fault-name.ts'

/**
 * Returns a reason that has the form of our codes (`course-not-approved`), and `unspecified` for any other text,
 * because a sentence could contain personal data.
 */
export function faultCode(why: string): string {
  return /^[a-z][a-z0-9_-]{0,60}$/.test(why) ? why : 'unspecified'
}

/**
 * A failed run of a job, reduced to the class and the upper-case code of its error. BullMQ stores an error's message
 * and stack unencrypted, and dashboards show them, while the message of a library's error may contain a recipient or a
 * token. The original error's name is replaced too: BullMQ treats an error *named* DelayedError as a report that the
 * job was moved, which has not happened.
 */
export class JobFaultError extends Error {
  override readonly name = 'JobFaultError'

  constructor(cause: unknown) {
    super(faultName(cause))
    this.stack = this.message
  }
}
