// Reads completions from a Canvas site: of one learner after a hint, or of every learner without a known completion.

import type { NewCompletion } from '#src/ledger/lms/completions.ts'
import type { CanvasCourse } from '#src/lms/canvas/course.ts'
import type { CanvasLearner } from '#src/lms/canvas/learner.ts'
import type { Canvas } from '#src/lms/canvas/open-canvas.ts'
import { systemFailureOf } from '#src/lms/http/lms-error.ts'
import type { CanvasSettings } from './canvas-settings.ts'
import { cellsOfLearner } from './completion-cells.ts'
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
  'Canvas does not show the learner in the course, or no longer shows the learner, so nothing was issued. Enroll the learner again temporarily and replay the event, or issue the credential manually.'

const noProgress =
  'Canvas shows no progress for the learner, so nothing was issued: the learner is not a student of the course, or no module of the course has a requirement.'

const noCompletionTime =
  'A learner met every requirement of the course, but Canvas reports no time for it, so nothing is issued: open the modules page of the course as that learner, which makes Canvas calculate the time again.'

export function pollableCanvas(system: PolledCanvas): PolledSystem {
  const { name, settings, canvas } = system
  return {
    name,
    settings,
    rightsToSee: { email: 'allow the account “Users - view primary email address”' },
    async course(pipeline) {
      const course = await canvas.course(pipeline.course)
      if (!course) return null
      const found = { ...system, course, pipeline }
      return {
        isAbout: (hint) => [pipeline.course, course.id, course.sisId].includes(hint.course),
        findOne: (hint, isKnown) => findOne(found, hint, isKnown),
        findAll: (known) => findAll(found, known),
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
    const learner = await canvas.learner(course.id, ref)
    if (!learner)
      return { completions: [], problems: (await isKnown(ref)) ? [] : [{ learner: ref, sentence: learnerNotShown }] }
    const completion = await canvas.completion(course.id, learner.id)
    if (completion.kind === 'no-progress')
      return { completions: [], problems: [{ learner: learner.id, sentence: noProgress }] }
    // Canvas may not have calculated the progress or its time yet when the event arrives: the next poll finds the
    // completion.
    if (completion.kind !== 'completed') return { completions: [], problems: [] }
    return { completions: [completionOf(found, learner, completion.at)], problems: [] }
  } catch (error) {
    const failure = systemFailureOf(error)
    if (failure?.kind !== 'record') throw error
    return { completions: [], problems: [{ learner: ref, sentence: failure.sentence }] }
  }
}

async function findAll(found: CourseContext, known: KnownIds): Promise<FoundCompletions> {
  const all: FoundCompletions = { completions: [], problems: [] }
  for await (const completedLearner of found.canvas.completedLearners(found.course.id, known))
    if (completedLearner.kind === 'undated')
      all.problems.push({ learner: completedLearner.learnerId, sentence: noCompletionTime })
    else if (completedLearner.kind === 'failed')
      all.problems.push({ learner: completedLearner.learnerId, sentence: completedLearner.error.message })
    else all.completions.push(completionOf(found, completedLearner.learner, completedLearner.at))
  return all
}

function completionOf({ course, pipeline, settings }: CourseContext, learner: CanvasLearner, at: Date): NewCompletion {
  const courseNames = { code: pipeline.course, fullname: course.name }
  return {
    learner: learner.id,
    course: pipeline.course,
    completedAt: at,
    cells: cellsOfLearner(learner, courseNames, at, settings.timeZone),
  }
}
