// What happened in the learning system that its two plugins tell the outside of. Times in seconds since 1970.

import type { Course, Criterion, Learner } from '../records.ts'

export interface CourseCompleted {
  kind: 'course completed'
  learner: Learner
  course: Course
  /** Number of the record in the table course_completions. */
  completionId: number
  /** Number of the user in whose request it happened: the learner, or the administrator for cron. */
  causedBy: number
  /** When the event came to be: with cron that is later than the completion's own time. */
  at: number
}

export interface ModuleTicked {
  kind: 'module ticked' | 'module unticked'
  learner: Learner
  course: Course
  criterion: Criterion
  at: number
}

export type Happening = CourseCompleted | ModuleTicked
