// What a Canvas says of completions, heard: one learner's after a hint, or everybody's of whom nothing is known.

import type { CanvasSettings } from '#config/system-settings.ts'
import type { CanvasCourse } from '#src/canvas/course.ts'
import type { CanvasLearner } from '#src/canvas/learner.ts'
import type { Canvas } from '#src/canvas/open-canvas.ts'
import type { HeardCompletion } from '#src/ledger/completions.ts'
import type { AskedSystem, HeardThere } from './asked-system.ts'
import { cellsOfLearner } from './cells.ts'
import type { CompletionPipeline } from './open-learning.ts'
import type { Hint } from './read-delivery.ts'
import { troubleOf } from './system-trouble.ts'

export interface AskedCanvas {
  name: string
  settings: CanvasSettings
  canvas: Canvas
}

/** The course of a pipeline, found. */
interface Found extends AskedCanvas {
  course: CanvasCourse
  pipeline: CompletionPipeline
}

const unnamed =
  'Canvas is asked by its own id of the learner or by the SIS id, and the event names neither; look at its mapping.'

const gone =
  'Canvas does not show the learner in the course (any more), and nobody was issued. Enrol the learner again for a moment and replay the event, or issue by hand.'

const noProgress =
  'Canvas shows no progress of the learner, and nobody was issued: the learner is no student of the course, or no module of the course has a requirement.'

const undated =
  'A learner met every requirement of the course and Canvas does not say when, so nobody is issued: open the modules page of the course as that learner, by which Canvas reckons anew.'

export function askableCanvas(asked: AskedCanvas): AskedSystem {
  const { name, settings, canvas } = asked
  return {
    name,
    settings,
    async course(pipeline) {
      const course = await canvas.course(pipeline.course)
      if (!course) return null
      const found = { ...asked, course, pipeline }
      return {
        isAbout: (hint) => [pipeline.course, course.id, course.sisId].includes(hint.course),
        hearOne: (hint, isKnown) => hearOne(found, hint, isKnown),
        hearAll: (known) => hearAll(found, known),
      }
    },
  }
}

async function hearOne(
  found: Found,
  { learner: { id, idnumber } }: Hint,
  isKnown: (learner: string) => Promise<boolean>,
): Promise<HeardThere> {
  const named = id !== undefined && /^\d{1,19}$/.test(id) ? id : idnumber && `sis_user_id:${idnumber}`
  if (!named) return { completions: [], problems: [unnamed] }
  const { canvas, course } = found
  try {
    const learner = await canvas.learner(course.id, named)
    if (!learner) return { completions: [], problems: (await isKnown(named)) ? [] : [gone] }
    const completion = await canvas.completion(course.id, learner.id)
    if (completion.kind === 'no-progress') return { completions: [], problems: [noProgress] }
    // Canvas reckons after it has sent the event, or before it has a time: the next poll finds what is true by then.
    if (completion.kind !== 'completed') return { completions: [], problems: [] }
    return { completions: [completionOf(found, learner, completion.at)], problems: [] }
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble?.kind !== 'record') throw error
    return { completions: [], problems: [trouble.sentence] }
  }
}

async function hearAll(found: Found, known: ReadonlySet<string>): Promise<HeardThere> {
  const heard: HeardThere = { completions: [], problems: [] }
  for await (const each of found.canvas.completedLearners(found.course.id, known))
    if (each.kind === 'undated') heard.problems.push(undated)
    else if (each.kind === 'failed') heard.problems.push(each.error.message)
    else heard.completions.push(completionOf(found, each.learner, each.at))
  return heard
}

function completionOf({ course, pipeline, settings }: Found, learner: CanvasLearner, at: Date): HeardCompletion {
  const named = { code: pipeline.course, fullname: course.name }
  return {
    learner: learner.id,
    course: pipeline.course,
    completedAt: at,
    cells: cellsOfLearner(learner, named, at, settings.timeZone),
  }
}
