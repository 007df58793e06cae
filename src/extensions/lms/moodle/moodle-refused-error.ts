// The error for a call that Moodle refuses because of the account or the token: retries fail until an operator has
// acted. Pure.

import { MoodleError } from './moodle-error.ts'

/** `everywhere`: every call with this token will fail. `here`: this function or course fails; others may succeed. */
export type Reach = 'everywhere' | 'here'

export class MoodleRefusedError extends MoodleError {
  override name = 'MoodleRefusedError'
  readonly reach: Reach

  /** @param advice which setting or privilege to check */
  constructor(calledFunction: string, errorcode: string, reach: Reach, advice: string) {
    super(calledFunction, errorcode, `Moodle refuses ${calledFunction} (${errorcode}) until someone acts: ${advice}.`)
    this.reach = reach
  }

  get failure() {
    const { errorcode: code, reach } = this
    return { kind: 'refused' as const, isOfCourse: reach === 'here', code, retryAfterMs: null }
  }
}
