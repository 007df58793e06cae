// What a Moodle says of completions, heard: one learner's after a hint, or everybody's of whom nothing is known.

import type { HeardCompletion } from '#src/ledger/completions.ts'
import type { MoodleCourse } from '#src/moodle/course.ts'
import { MoodleRecordError } from '#src/moodle/moodle-record-error.ts'
import { cellsOfMoodle } from './cells.ts'
import type { AskedMoodle, CompletionPipeline } from './open-learning.ts'
import type { Hint } from './read-delivery.ts'

export interface HeardOfMoodle {
  completions: HeardCompletion[]
  /** Sentences for a person, without values. */
  problems: string[]
}

const undated =
  'A learner completed the course and no criterion says when, so nobody is issued: complete a criterion with a date in Moodle.'

/** Null when Moodle has no course with the code. */
export function courseOf({ moodle }: AskedMoodle, { course }: CompletionPipeline): Promise<MoodleCourse | null> {
  return moodle.courseByIdnumber(course)
}

/** Whether a hint is about the course: by its code, or by the id that Moodle's own events name. */
export function isAbout(
  hint: Pick<Hint, 'course'>,
  course: MoodleCourse,
  { course: code }: CompletionPipeline,
): boolean {
  return (
    hint.course === code || hint.course === String(course.id) || new RegExp(`[?&]id=${course.id}$`).test(hint.course)
  )
}

/** One learner, as a hint names them. @throws MoodleError, but for what is about this learner alone */
export async function hearOne(
  asked: AskedMoodle,
  { hint, course, pipeline }: { hint: Hint; course: MoodleCourse; pipeline: CompletionPipeline },
): Promise<HeardOfMoodle> {
  const { id, idnumber, email } = hint.learner
  const number = id !== undefined && /^\d{1,10}$/.test(id) ? Number(id) : undefined
  try {
    const learner = await asked.moodle.findLearner({
      ...(number !== undefined && { id: number }),
      ...(idnumber && { idnumber }),
      ...(email && { email }),
    })
    if (!learner)
      return { completions: [], problems: ['Moodle knows no learner by what the event names; look at its mapping.'] }
    const completion = await asked.moodle.completion(course.id, learner.id)
    if (completion.kind === 'undated') return { completions: [], problems: [undated] }
    // An event may come before Moodle has reckoned, or speak of a part of the course: the next poll finds what is true by then.
    if (completion.kind !== 'completed') return { completions: [], problems: [] }
    return { completions: [completionOf(asked, { learner, course, pipeline, at: completion.at })], problems: [] }
  } catch (error) {
    if (error instanceof MoodleRecordError) return { completions: [], problems: [error.message] }
    throw error
  }
}

/** Everybody who completed and is not among `known` (Moodle's user ids). @throws MoodleError */
export async function hearAll(
  asked: AskedMoodle,
  { course, pipeline, known }: { course: MoodleCourse; pipeline: CompletionPipeline; known: ReadonlySet<number> },
): Promise<HeardOfMoodle> {
  const { report, reportColumn } = asked.settings
  const heard: HeardOfMoodle = { completions: [], problems: [] }
  const by = report === undefined ? null : { id: report, ...(reportColumn && { completedColumn: reportColumn }) }
  for await (const found of asked.moodle.completedLearners(course, by, known)) {
    if (found.kind === 'undated') heard.problems.push(undated)
    if (found.kind === 'failed') heard.problems.push(found.error.message)
    if (found.kind !== 'completed') continue
    const { learner, at } = found
    heard.completions.push(completionOf(asked, { learner, course, pipeline, at }))
  }
  return heard
}

function completionOf(
  { settings }: AskedMoodle,
  of: {
    learner: Parameters<typeof cellsOfMoodle>[0]
    course: MoodleCourse
    pipeline: CompletionPipeline
    at: Date
  },
): HeardCompletion {
  const { learner, course, pipeline, at } = of
  const named = { code: pipeline.course, fullname: course.fullname }
  return {
    learner: String(learner.id),
    course: pipeline.course,
    completedAt: at,
    cells: cellsOfMoodle(learner, named, at, settings.timeZone),
  }
}
