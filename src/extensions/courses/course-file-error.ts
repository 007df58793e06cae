// The error for a course file that cannot be used. It lists every fault. Nothing has been sent when it is thrown.

export interface CourseFault {
  /** The key in the file, such as `category`, or `the file`. */
  where: string
  sentence: string
}

export class CourseFileError extends Error {
  override readonly name = 'CourseFileError'
  readonly faults: readonly CourseFault[]

  constructor(path: string, faults: readonly CourseFault[]) {
    const lines = faults.map(({ where, sentence }) => `  - ${where}: ${sentence}`)
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    super(
      `The course file ${path} has ${count}; nothing was sent (docs/courses.md shows every key):\n${lines.join('\n')}`,
    )
    this.faults = faults
  }
}
