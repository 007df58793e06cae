// The events in the learning system that its two plugins report. Types only. Times are in seconds since 1970.

import type { Criterion, SiteCourse, SiteLearner } from '../records.ts'

export interface CourseCompleted {
  kind: 'course completed'
  learner: SiteLearner
  course: SiteCourse
  /** The id of the record in the table course_completions. */
  completionId: number
  /** The id of the user whose request caused the event: the learner, or the administrator for cron. */
  causedBy: number
  /** When the event was created. With cron this is later than the time of the completion. */
  at: number
}

export interface ModuleTicked {
  kind: 'module ticked' | 'module unticked'
  learner: SiteLearner
  course: SiteCourse
  criterion: Criterion
  at: number
}

export type SiteEvent = CourseCompleted | ModuleTicked
