// Reads from Canvas whether and when learners completed a course, based on their progress in its modules.

import { z } from 'zod'
import { type CanvasCall, idShape, pathSegment } from './call.ts'
import { CanvasError } from './canvas-error.ts'

export type CanvasCompletion =
  | { kind: 'completed'; at: Date }
  /** Every requirement is met, but Canvas reports no completion time. */
  | { kind: 'undated' }
  | { kind: 'not-completed' }
  /**
   * Canvas refuses to show progress, because the person is not a student of the course, or its modules have no
   * requirements. This says nothing about a completion.
   */
  | { kind: 'no-progress' }

const progressShape = z.object({
  requirement_count: z.number().nullish(),
  requirement_completed_count: z.number().nullish(),
  completed_at: z.string().nullish(),
})

export type CanvasProgress = z.infer<typeof progressShape>

// For a person who is not a student, Canvas returns an object with an error in place of the progress.
const listedShape = z.object({ id: idShape, progress: progressShape })

const moduleShape = z.object({ state: z.string().nullish() })

/**
 * Interprets the progress alone, without a call. `unsure`: it has a completion time, but some requirements are not met.
 * According to Canvas's source code, this happens when a module requires only one of its items, or when the learner has
 * not opened a module yet, because Canvas ignores that module when it determines the time.
 */
export function readProgress(progress: CanvasProgress): CanvasCompletion | { kind: 'unsure'; at: Date } {
  const needed = progress.requirement_count ?? 0
  const met = progress.requirement_completed_count ?? 0
  const completedAtMs = Date.parse(progress.completed_at ?? '')
  // Nothing is required yet, so nothing can have been completed.
  if (needed === 0) return { kind: 'not-completed' }
  if (Number.isNaN(completedAtMs)) return { kind: met >= needed ? 'undated' : 'not-completed' }
  return { kind: met >= needed ? 'completed' : 'unsure', at: new Date(completedAtMs) }
}

/**
 * Yields the progress of every current student of the course, page by page.
 * @throws CanvasError `record` for a course without requirements
 */
export async function* progressOfAll(
  call: CanvasCall,
  courseId: string,
): AsyncGenerator<{ id: string; progress: CanvasProgress }[], void, undefined> {
  try {
    yield* call.list('the progress of the course', `courses/${pathSegment(courseId)}/bulk_user_progress`, listedShape)
  } catch (error) {
    if (!(error instanceof CanvasError) || error.status !== 400) throw error
    throw new CanvasError(
      'record',
      'The course has no module with a requirement, so Canvas never considers it completed: set requirements in its modules.',
      { status: 400 },
    )
  }
}

/**
 * Reads whether and when one learner completed the course, with one call, or with several when the progress is unsure.
 */
export async function readCanvasCompletion(
  call: CanvasCall,
  courseId: string,
  learnerId: string,
): Promise<CanvasCompletion> {
  const path = `courses/${pathSegment(courseId)}/users/${learnerId}/progress`
  try {
    const progress = await call.get('the progress of a learner', path, progressShape)
    return await resolveUnsure(call, courseId, learnerId, readProgress(progress))
  } catch (error) {
    if (error instanceof CanvasError && error.fault === 'record') return { kind: 'no-progress' }
    throw error
  }
}

/**
 * When the progress alone is unsure, reads the states of the learner's modules, which are authoritative because Canvas
 * computes them on request.
 */
export async function resolveUnsure(
  call: CanvasCall,
  courseId: string,
  learnerId: string,
  reading: ReturnType<typeof readProgress>,
): Promise<CanvasCompletion> {
  if (reading.kind !== 'unsure') return reading
  const path = `courses/${pathSegment(courseId)}/modules?student_id=${learnerId}`
  let moduleCount = 0
  for await (const page of call.list('the modules of a learner', path, moduleShape)) {
    if (page.some(({ state }) => state !== 'completed')) return { kind: 'not-completed' }
    moduleCount += page.length
  }
  // If Canvas shows the learner no module, the time proves nothing: the course counts as not completed until a later
  // poll.
  return moduleCount > 0 ? { kind: 'completed', at: reading.at } : { kind: 'not-completed' }
}
