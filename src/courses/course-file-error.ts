// A course file cannot be used as it is: every fault at once. Nothing was sent.

export interface CourseFault {
  /** The key of the file, such as category, or the file itself. */
  where: string
  sentence: string
}

export class CourseFileError extends Error {
  override readonly name = 'CourseFileError'
  readonly faults: readonly CourseFault[]

  constructor(path: string, faults: readonly CourseFault[]) {
    const lines = faults.map(({ where, sentence }) => `  - ${where}: ${sentence}`)
    const many = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    super(
      `The course file ${path} has ${many}; nothing was sent (docs/courses.md shows every key):\n${lines.join('\n')}`,
    )
    this.faults = faults
  }
}
