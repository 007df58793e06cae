// Whether and when one learner completed one course.

import { z } from 'zod'
import type { Call } from './call.ts'
import { MoodleRecordError } from './moodle-record-error.ts'

export type Completion =
  /** `at` in whole seconds, as Moodle keeps it. */
  | { kind: 'completed'; at: Date }
  /** Complete, and none of its criteria says since when. */
  | { kind: 'undated' }
  | { kind: 'not-completed' }
  /** Never was a learner of the course, or is one no more: no word about what was completed before. What was issued stays. */
  | { kind: 'not-enrolled' }
  | { kind: 'no-criteria' }

const status = z.object({
  completionstatus: z.object({
    completed: z.boolean(),
    completions: z.array(z.object({ complete: z.boolean(), timecompleted: z.number().nullish() })),
  }),
})

/**
 * Asks for the status of one learner. Moodle tells no time of the course as a whole, so it is the latest `timecompleted` of the criteria that
 * are complete, as Moodle's own aggregation takes it. Where all criteria are needed that is exact. Where any one is
 * enough, a second criterion that is fulfilled later moves the time, and the answer shows no way to tell: whoever compares
 * occasions must allow for a later time.
 *
 * A course that was completed without any time (criteria that were marked or imported without one) is `undated`: the date stands on the
 * certificate and tells one occasion from the next, so it is neither guessed nor taken from our clock, which would make
 * each look a new occasion. A person decides.
 *
 * Throws MoodleRecordError `invalidrecord` for a course or learner that does not exist.
 */
export async function completion(call: Call, courseId: number, userId: number): Promise<Completion> {
  try {
    const answer = await call(
      'core_completion_get_course_completion_status',
      { courseid: courseId, userid: userId },
      status,
    )
    const { completed, completions } = answer.completionstatus
    if (!completed) return { kind: 'not-completed' }
    const times = completions.filter((each) => each.complete).map((each) => each.timecompleted ?? 0)
    const latest = Math.max(0, ...times)
    return latest > 0 ? { kind: 'completed', at: new Date(latest * 1_000) } : { kind: 'undated' }
  } catch (error) {
    if (!(error instanceof MoodleRecordError)) throw error
    if (error.errorcode === 'usernotenroled') return { kind: 'not-enrolled' }
    if (error.errorcode === 'nocriteriaset') return { kind: 'no-criteria' }
    throw error
  }
}
