// Reads completions from a Canvas site: of one learner after a hint, or of every learner without a known completion.

import type { LatestCompletions } from '#src/extensions/lms/canvas/completed-learners.ts'
import type { CanvasCourse } from '#src/extensions/lms/canvas/course.ts'
import type { CanvasLearner } from '#src/extensions/lms/canvas/learner.ts'
import type { Canvas } from '#src/extensions/lms/canvas/open-canvas.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'
import type { CanvasSettings } from './canvas-settings.ts'
import { completionOfLearner } from './completion-cells.ts'
import type { Hint } from './inbound-system.ts'
import type { CompletionPipeline, FoundCompletions, KnownIds, PolledSystem } from './polled-system.ts'

export interface PolledCanvas {
  name: string
  settings: CanvasSettings
  canvas: Canvas
}

/** A pipeline and its course in Canvas. */
interface CourseContext extends PolledCanvas {
  course: CanvasCourse
  pipeline: CompletionPipeline
}

const noLearnerId =
  'The event contains neither a Canvas id nor a SIS id of the learner; check the mapping of the event.'

const learnerNotShown =
  'Canvas does not show the learner in the course, or no longer shows the learner, so nothing was issued: the enrollment is inactive or was deleted. Enroll the learner again temporarily and replay the event, or issue the credential manually.'

const noProgress =
  'Canvas shows no progress for the learner, so nothing was issued: the learner is not a student of the course, or no module of the course has a requirement.'

const undecided =
  'Canvas contradicts itself about a learner: requirements are met without a time, or there is a time although requirements are left. So nothing is issued. Look at the learner’s progress in Canvas, and issue the credential manually if it is due.'

const courseConcluded =
  'The course is concluded in Canvas, so nobody else can complete it. Whoever completed it before is issued; after that, remove the `source` of the pipeline.'

export function pollableCanvas(system: PolledCanvas): PolledSystem {
  const { name, settings, canvas } = system
  return {
    name,
    settings,
    async course(pipeline) {
      const course = await canvas.course(pipeline.course)
      if (!course) return null
      const found = { ...system, course, pipeline }
      return {
        isAbout: (hint) => [pipeline.course, course.id, course.sisId].includes(hint.course),
        findOne: (hint, isKnown) => findOne(found, hint, isKnown),
        findAll: (known, latest) => findAll(found, known, latest),
      }
    },
  }
}

async function findOne(
  found: CourseContext,
  { learner: { id, idnumber } }: Hint,
  isKnown: (learner: string) => Promise<boolean>,
): Promise<FoundCompletions> {
  const ref = id !== undefined && /^\d{1,19}$/.test(id) ? id : idnumber && `sis_user_id:${idnumber}`
  if (!ref) return { completions: [], problems: [{ sentence: noLearnerId }] }
  const { canvas, course } = found
  try {
    const shown = await canvas.learner(course.id, ref)
    if (!shown) {
      const isExpected = (await isKnown(ref)) || (await canvas.isTestStudent(course.id, ref))
      return { completions: [], problems: isExpected ? [] : [{ learner: ref, sentence: learnerNotShown }] }
    }
    const { learner, isConcluded } = shown
    const completion = await canvas.completion(course.id, learner.id, isConcluded)
    if (completion.kind === 'completed')
      return { completions: [completionOf(found, learner, completion.at)], problems: [] }
    // Canvas may not have calculated the progress yet when the event arrives: the next poll finds the completion.
    if (completion.kind === 'not-completed' || (await canvas.isTestStudent(course.id, learner.id)))
      return { completions: [], problems: [] }
    const sentence = completion.kind === 'undecided' ? undecided : noProgress
    return { completions: [], problems: [{ learner: learner.id, sentence }] }
  } catch (error) {
    const failure = systemFailureOf(error)
    if (failure?.kind !== 'record') throw error
    return { completions: [], problems: [{ learner: ref, sentence: failure.sentence }] }
  }
}

async function findAll(
  found: CourseContext,
  known: KnownIds,
  latest: LatestCompletions | undefined,
): Promise<FoundCompletions> {
  const { canvas, course } = found
  const all: FoundCompletions = { completions: [], problems: course.isConcluded ? [{ sentence: courseConcluded }] : [] }
  for await (const each of canvas.completedLearners(course.id, known, latest))
    if (each.kind === 'completed') all.completions.push(completionOf(found, each.learner, each.at))
    else
      all.problems.push({
        learner: each.learnerId,
        sentence: each.kind === 'undecided' ? undecided : each.error.message,
      })
  return all
}

const completionOf = ({ course, pipeline, settings }: CourseContext, learner: CanvasLearner, at: Date) =>
  completionOfLearner(learner, { code: pipeline.course, fullname: course.name }, at, settings.timeZone)
