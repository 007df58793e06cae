// Thrown when the input for a course breaks the service's documented rules. Nothing has been sent then.

export class CourseInputError extends Error {
  override name = 'CourseInputError'
  /** Every fault, as checkCourseInput describes it. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The course cannot be sent: ${faults.join('; ')}. Nothing was sent. Fix these faults and try again.`)
    this.faults = faults
  }
}
