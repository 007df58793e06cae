// Finds learners in Moodle who completed a course and are not known yet, with as few calls as possible.

import type { MoodleCall } from './call.ts'
import { readMoodleCompletion } from './completion.ts'
import type { MoodleCourse } from './course.ts'
import { firstLearner } from './first-learner.ts'
import { enrolledLearners, type MoodleLearner } from './learner.ts'
import { MoodleRecordError } from './moodle-error.ts'
import { reportRows } from './report-pages.ts'
import { type Participant, readParticipants } from './report-participants.ts'

export type FoundInMoodle =
  | { kind: 'completed'; userId: number; learner: MoodleLearner; at: Date }
  /** The learner completed the course, but Moodle has no time to print on a certificate; see completion.ts. */
  | { kind: 'undated'; userId: number }
  /** Moodle refused the request about this learner; the others are not affected. */
  | { kind: 'failed'; userId: number; error: MoodleRecordError }
  /** The course has learners, and no row of the report identifies anyone in it. */
  | { kind: 'useless-report'; people: number }

/**
 * Returns those of `learners` whom the custom report "Course participants" shows in the course; it may cover several
 * courses. The report shows which learners to check, not who completed. Its rows have no user ids, so
 * `readParticipants` matches them to the learners, independently of the language.
 */
export async function participants(
  call: MoodleCall,
  course: MoodleCourse,
  reportId: number,
  learners: readonly MoodleLearner[],
): Promise<Participant[]> {
  return readParticipants(await reportRows(call, reportId), learners, course)
}

/**
 * Yields each enrolled learner whose user id is not in `known` and who completed the course, or whose completion has no
 * time or could not be read. With a report, the calls are: the list of enrolled learners, the pages of the report, and
 * one status call for each learner who may have completed according to the report. Without a report, there is one
 * status call for every enrolled learner; a real Moodle took 34 s for 1,004 of them. Learners who are no longer
 * enrolled are not found, whether or not they completed the course.
 * @throws MoodleRecordError `nocriteriaset` when the course has no completion criteria, since then no one will ever
 * complete it
 */
export async function* completedInMoodle(
  call: MoodleCall,
  course: MoodleCourse,
  reportId: number | null,
  known: Pick<ReadonlySet<number>, 'has'>,
): AsyncGenerator<FoundInMoodle, void, undefined> {
  const learners = await enrolledLearners(call, course.id)
  const shown = reportId === null ? null : await participants(call, course, reportId, learners)
  // A course without learners is not the report's fault: it may deliberately leave out teachers.
  if (shown?.length === 0 && (await firstLearner((userId) => readMoodleCompletion(call, course.id, userId), learners)))
    yield { kind: 'useless-report', people: learners.length }
  const candidates = shown && new Set(shown.flatMap(({ userId, completed }) => (completed ? [userId] : [])))
  for (const learner of learners) {
    if (known.has(learner.id) || candidates?.has(learner.id) === false) continue
    const found = await checkLearner(call, course, learner)
    if (found) yield found
  }
}

async function checkLearner(
  call: MoodleCall,
  course: MoodleCourse,
  learner: MoodleLearner,
): Promise<FoundInMoodle | null> {
  const userId = learner.id
  try {
    const found = await readMoodleCompletion(call, course.id, userId)
    if (found.kind === 'no-criteria')
      throw new MoodleRecordError('core_completion_get_course_completion_status', 'nocriteriaset')
    if (found.kind === 'completed') return { kind: 'completed', userId, learner, at: found.at }
    return found.kind === 'undated' ? { kind: 'undated', userId } : null
  } catch (error) {
    if (!(error instanceof MoodleRecordError) || error.errorcode === 'nocriteriaset') throw error
    return { kind: 'failed', userId, error }
  }
}
