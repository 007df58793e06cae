// Moodle refuses the account or the token: stop and tell a person. Asking again changes nothing.

import { MoodleError } from './moodle-error.ts'

/** `everywhere`: each call with this token will fail. `here`: this function or this course; others may go well. */
export type Reach = 'everywhere' | 'here'

export class MoodleRefusedError extends MoodleError {
  override name = 'MoodleRefusedError'
  readonly reach: Reach

  /** `advice` says which setting or privilege to check. */
  constructor(calledFunction: string, errorcode: string, reach: Reach, advice: string) {
    super(
      calledFunction,
      errorcode,
      `Moodle refused ${calledFunction} (${errorcode}). Asking again will not help: ${advice}.`,
    )
    this.reach = reach
  }
}
