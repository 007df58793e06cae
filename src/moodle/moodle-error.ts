// What every failure of a Moodle call has in common. Its three kinds differ in what to do next.

export abstract class MoodleError extends Error {
  /** The web service function that was called, such as core_course_get_courses_by_field. */
  readonly calledFunction: string
  /** Moodle's errorcode when there was one, made of letters and underscores only; else what was seen instead of an answer. */
  readonly errorcode: string

  constructor(calledFunction: string, errorcode: string, sentence: string) {
    super(sentence)
    this.calledFunction = calledFunction
    this.errorcode = errorcode
  }
}
