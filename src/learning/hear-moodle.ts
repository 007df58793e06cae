// What a Moodle says of completions, heard: one learner's after a hint, or everybody's of whom nothing is known.

import type { HeardCompletion } from '#src/ledger/completions.ts'
import type { MoodleCourse } from '#src/moodle/course.ts'
import { MoodleRecordError } from '#src/moodle/moodle-record-error.ts'
import type { AskedSystem, HeardThere } from './asked-system.ts'
import { cellsOfLearner } from './cells.ts'
import type { AskedMoodle, CompletionPipeline } from './open-learning.ts'
import type { Hint } from './read-delivery.ts'

const undated =
  'A learner completed the course and no criterion says when, so nobody is issued: complete a criterion with a date in Moodle.'

const gone =
  'Moodle does not say whether the course was completed, for the learner is not enrolled any more, and nobody was issued. Enrol the learner again for a moment and replay the event, or issue by hand.'

export function askableMoodle(asked: AskedMoodle): AskedSystem {
  const { name, settings, moodle } = asked
  return {
    name,
    settings,
    async course(pipeline) {
      const course = await moodle.courseByIdnumber(pipeline.course)
      if (!course) return null
      return {
        isAbout: (hint) => isAbout(hint, course, pipeline),
        hearOne: (hint, isKnown) => hearOne(asked, { hint, course, pipeline, isKnown }),
        hearAll: (known) => hearAll(asked, { course, pipeline, known: new Set([...known].map(Number)) }),
      }
    },
  }
}

/** Whether a hint is about the course: by its code, or by the id that Moodle's own events name. */
function isAbout(hint: Pick<Hint, 'course'>, course: MoodleCourse, { course: code }: CompletionPipeline): boolean {
  return (
    hint.course === code || hint.course === String(course.id) || new RegExp(`[?&]id=${course.id}$`).test(hint.course)
  )
}

/** One learner, as a hint names them. @throws MoodleError, but for what is about this learner alone */
async function hearOne(
  asked: AskedMoodle,
  {
    hint,
    course,
    pipeline,
    isKnown,
  }: {
    hint: Hint
    course: MoodleCourse
    pipeline: CompletionPipeline
    /** Whether a completion of the learner (by Moodle's id) was heard of before. */
    isKnown: (learner: string) => Promise<boolean>
  },
): Promise<HeardThere> {
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
    if (completion.kind === 'not-enrolled' && !(await isKnown(String(learner.id))))
      return { completions: [], problems: [gone] }
    // An event may come before Moodle has reckoned, or speak of a part of the course: the next poll finds what is true by then.
    if (completion.kind !== 'completed') return { completions: [], problems: [] }
    return { completions: [completionOf(asked, { learner, course, pipeline, at: completion.at })], problems: [] }
  } catch (error) {
    if (error instanceof MoodleRecordError) return { completions: [], problems: [error.message] }
    throw error
  }
}

/** Everybody who completed and is not among `known` (Moodle's user ids). @throws MoodleError */
async function hearAll(
  asked: AskedMoodle,
  { course, pipeline, known }: { course: MoodleCourse; pipeline: CompletionPipeline; known: ReadonlySet<number> },
): Promise<HeardThere> {
  const { report, reportColumn } = asked.settings
  const heard: HeardThere = { completions: [], problems: [] }
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
    learner: Parameters<typeof cellsOfLearner>[0]
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
    cells: cellsOfLearner(learner, named, at, settings.timeZone),
  }
}
