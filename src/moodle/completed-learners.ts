// Finds who completed a course and is not known yet, with as few questions to Moodle as it allows.

import type { Call } from './call.ts'
import { completion } from './completion.ts'
import type { MoodleCourse } from './course.ts'
import { enrolled, type Learner } from './learner.ts'
import { MoodleRecordError } from './moodle-record-error.ts'
import { type Participant, readParticipants } from './report-columns.ts'
import { type ReportRow, reportRows } from './report-pages.ts'

/** A custom report "Course participants" that the people of the LMS made; it may cover many courses. */
export interface Report {
  id: number
  /** Which column is filled only for those who completed, 1 for the first. Without it every column that tells of progress counts. */
  completedColumn?: number
}

export type FoundCompletion =
  | { kind: 'completed'; userId: number; at: Date; learner: Learner }
  /** Complete, with no time to put on a certificate; see `completion`. */
  | { kind: 'undated'; userId: number }
  /** Moodle said no to this one learner; the others go on. */
  | { kind: 'failed'; userId: number; error: MoodleRecordError }

/**
 * The learners whom the report shows in the course: the list of whom to ask about, not the word about who completed. Its rows hold no user ids, so
 * they are matched to those who are enrolled now; `readParticipants` says how, without knowing the language. The report
 * is read to its end before the first is given, since what a column is shows in all its rows together.
 */
export async function* participants(
  call: Call,
  course: MoodleCourse,
  report: Report,
  given?: readonly Learner[],
): AsyncGenerator<Participant, void, undefined> {
  const learners = given ?? (await enrolled(call, course.id))
  const rows: ReportRow[] = []
  for await (const row of reportRows(call, report.id)) rows.push(row)
  yield* readParticipants(rows, learners, course, report.completedColumn)
}

/**
 * Everybody who completed the course and whose user id is not in `known`. With a report: the list of the enrolled, the report's pages, and one
 * status call for each learner whom it shows as further along. Without: one status call for everybody enrolled; a real Moodle
 * took 34 s for 1,004 of them.
 *
 * Learners that are enrolled no more are not found; neither does that say that they did not complete. Throws MoodleRecordError `nocriteriaset`
 * when the course has no completion criteria, since then nobody will ever complete it.
 */
export async function* completedLearners(
  call: Call,
  course: MoodleCourse,
  report: Report | null,
  known: ReadonlySet<number>,
): AsyncGenerator<FoundCompletion, void, undefined> {
  const learners = await enrolled(call, course.id)
  const byId = new Map(learners.map((each) => [each.id, each]))
  for await (const userId of report === null ? byId.keys() : whoIsFurther(call, course, report, learners)) {
    const learner = byId.get(userId)
    if (!learner || known.has(userId)) continue
    const found = await ask(call, course, learner)
    if (found) yield found
  }
}

async function* whoIsFurther(
  call: Call,
  course: MoodleCourse,
  report: Report,
  learners: readonly Learner[],
): AsyncGenerator<number, void, undefined> {
  for await (const { userId, completed } of participants(call, course, report, learners)) if (completed) yield userId
}

async function ask(call: Call, course: MoodleCourse, learner: Learner): Promise<FoundCompletion | null> {
  const userId = learner.id
  try {
    const found = await completion(call, course.id, userId)
    if (found.kind === 'no-criteria')
      throw new MoodleRecordError('core_completion_get_course_completion_status', 'nocriteriaset')
    if (found.kind === 'completed') return { kind: 'completed', userId, at: found.at, learner }
    return found.kind === 'undated' ? { kind: 'undated', userId } : null
  } catch (error) {
    if (!(error instanceof MoodleRecordError) || error.errorcode === 'nocriteriaset') throw error
    return { kind: 'failed', userId, error }
  }
}
