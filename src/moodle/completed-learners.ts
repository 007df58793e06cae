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
  | { kind: 'completed'; userId: number; learner: Learner; at: Date }
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
): AsyncGenerator<Participant, void, undefined> {
  yield* await shownOf(call, { course, report, learners: await enrolled(call, course.id) })
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
  const further = report && new Set(await whoIsFurther(call, { course, report, learners }))
  for (const learner of learners) {
    if (known.has(learner.id) || further?.has(learner.id) === false) continue
    const found = await ask(call, course, learner)
    if (found) yield found
  }
}

interface Shown {
  course: MoodleCourse
  report: Report
  learners: readonly Learner[]
}

async function shownOf(call: Call, { course, report, learners }: Shown): Promise<Participant[]> {
  const rows: ReportRow[] = []
  for await (const row of reportRows(call, report.id)) rows.push(row)
  return readParticipants(rows, learners, course, report.completedColumn)
}

async function whoIsFurther(call: Call, shown: Shown): Promise<number[]> {
  return (await shownOf(call, shown)).filter(({ completed }) => completed).map(({ userId }) => userId)
}

async function ask(call: Call, course: MoodleCourse, learner: Learner): Promise<FoundCompletion | null> {
  const userId = learner.id
  try {
    const found = await completion(call, course.id, userId)
    if (found.kind === 'no-criteria')
      throw new MoodleRecordError('core_completion_get_course_completion_status', 'nocriteriaset')
    if (found.kind === 'completed') return { kind: 'completed', userId, learner, at: found.at }
    return found.kind === 'undated' ? { kind: 'undated', userId } : null
  } catch (error) {
    if (!(error instanceof MoodleRecordError) || error.errorcode === 'nocriteriaset') throw error
    return { kind: 'failed', userId, error }
  }
}
