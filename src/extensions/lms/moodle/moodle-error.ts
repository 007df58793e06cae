// The base class of the errors that failed Moodle calls throw. The subclass tells the caller what to do next:
// MoodleAwayError, try again later; MoodleRefusedError, an operator must act; MoodleRecordError, skip the record. Pure.

import { LmsError } from '#src/platform/http/lms-error.ts'

export abstract class MoodleError extends LmsError {
  /** The web service function that was called, such as core_course_get_courses_by_field. */
  readonly calledFunction: string
  /**
   * Moodle's error code if there was one, which consists of letters and underscores only; otherwise a description of
   * the invalid response, such as `HTTP 503`.
   */
  readonly errorcode: string

  constructor(calledFunction: string, errorcode: string, sentence: string) {
    super(sentence)
    this.calledFunction = calledFunction
    this.errorcode = errorcode
  }
}
