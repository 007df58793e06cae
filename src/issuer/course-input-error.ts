// A course was to be made or changed with something that the service's own rules refuse. Nothing was sent.

export class CourseInputError extends Error {
  override name = 'CourseInputError'
  /** Every fault, as checkCourseInput tells it. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The course cannot be sent: ${faults.join('; ')}. Nothing was sent; mend these and try again.`)
    this.faults = faults
  }
}
