// Reads from Moodle whether and when one learner completed one course.

import { z } from 'zod'
import type { MoodleCall } from './call.ts'
import { MoodleRecordError } from './moodle-error.ts'

export type MoodleCompletion =
  /** `at` in whole seconds, as Moodle stores it. */
  | { kind: 'completed'; at: Date }
  /** The course is complete, but none of its criteria has a time. */
  | { kind: 'undated' }
  | { kind: 'not-completed' }
  /**
   * The user is not a learner of the course, or no longer one. This says nothing about earlier completions, and
   * credentials that were issued stay issued.
   */
  | { kind: 'not-enrolled' }
  | { kind: 'no-criteria' }

const status = z.object({
  completionstatus: z.object({
    completed: z.boolean(),
    completions: z.array(z.object({ complete: z.boolean(), timecompleted: z.number().nullish() })),
  }),
})

/**
 * Reads the completion status of one learner. Moodle reports no time for the course as a whole, so the time is the
 * latest `timecompleted` of the completed criteria, as in Moodle's own aggregation. The time is exact when all criteria
 * are required. When any one criterion is enough, a second criterion that is met later moves the time, and the response
 * does not show this: a caller that compares completions must allow for a later time. A course that was completed
 * without any time (its criteria were marked or imported without one) is `undated`. The date is printed on the
 * certificate and distinguishes one completion from the next, so it is neither guessed nor taken from our clock, which
 * would make every poll a new completion. An operator must decide.
 * @throws MoodleRecordError `invalidrecord` for a course or learner that does not exist
 */
export async function readMoodleCompletion(
  call: MoodleCall,
  courseId: number,
  userId: number,
): Promise<MoodleCompletion> {
  try {
    const answer = await call(
      'core_completion_get_course_completion_status',
      { courseid: courseId, userid: userId },
      status,
    )
    const { completed, completions } = answer.completionstatus
    if (!completed) return { kind: 'not-completed' }
    const times = completions
      .filter((completion) => completion.complete)
      .map((completion) => completion.timecompleted ?? 0)
    const latest = Math.max(0, ...times)
    return latest > 0 ? { kind: 'completed', at: new Date(latest * 1_000) } : { kind: 'undated' }
  } catch (error) {
    if (!(error instanceof MoodleRecordError)) throw error
    if (error.errorcode === 'usernotenroled') return { kind: 'not-enrolled' }
    if (error.errorcode === 'nocriteriaset') return { kind: 'no-criteria' }
    throw error
  }
}
