// Whether and when learners completed a course, by their progress in its modules.

import { z } from 'zod'
import { type Call, idShape, segment } from './call.ts'
import { CanvasError } from './canvas-error.ts'

export type Completion =
  | { kind: 'completed'; at: Date }
  /** Every requirement is met, and nothing says since when. */
  | { kind: 'undated' }
  | { kind: 'not-completed' }
  /** No student of the course, or a course without requirements in its modules: no word about anybody. */
  | { kind: 'no-progress' }

const progressShape = z.object({
  requirement_count: z.number().nullish(),
  requirement_completed_count: z.number().nullish(),
  completed_at: z.string().nullish(),
})

export type Progress = z.infer<typeof progressShape>

// Of somebody who is no student the progress is an object with an error in it.
const listedShape = z.object({ id: idShape, progress: progressShape })

const moduleShape = z.object({ state: z.string().nullish() })

/**
 * What a progress says by itself. `unsure`: there is a time, and requirements are left. By Canvas's source that is so in two cases: of some module one item
 * is enough, or a module was not opened by the learner yet, which Canvas passes over when it looks for the time. Pure.
 */
export function judgeProgress(progress: Progress): Completion | { kind: 'unsure'; at: Date } {
  const needed = progress.requirement_count ?? 0
  const met = progress.requirement_completed_count ?? 0
  const at = Date.parse(progress.completed_at ?? '')
  if (needed === 0) return { kind: 'not-completed' }
  if (Number.isNaN(at)) return { kind: met >= needed ? 'undated' : 'not-completed' }
  return { kind: met >= needed ? 'completed' : 'unsure', at: new Date(at) }
}

/** Everybody who is a student of the course now, page by page. Throws a CanvasError `record` for a course without requirements. */
export async function* progressOfAll(
  call: Call,
  courseId: string,
): AsyncGenerator<{ id: string; progress: Progress }[], void, undefined> {
  try {
    yield* call.list('the progress of the course', `courses/${segment(courseId)}/bulk_user_progress`, listedShape)
  } catch (error) {
    if (!(error instanceof CanvasError) || error.status !== 400) throw error
    throw new CanvasError(
      'record',
      'The course has no module with a requirement, so Canvas counts nobody as having completed it: set requirements in its modules.',
      { status: 400 },
    )
  }
}

export async function completion(call: Call, courseId: string, learnerId: string): Promise<Completion> {
  const path = `courses/${segment(courseId)}/users/${learnerId}/progress`
  try {
    const progress = await call.get('the progress of a learner', path, progressShape)
    return await sure(call, courseId, learnerId, judgeProgress(progress))
  } catch (error) {
    if (error instanceof CanvasError && error.fault === 'record') return { kind: 'no-progress' }
    throw error
  }
}

/** Where the progress alone leaves it open, the states of the learner's modules decide: Canvas reckons them when it is asked for them. */
export async function sure(
  call: Call,
  courseId: string,
  learnerId: string,
  judged: ReturnType<typeof judgeProgress>,
): Promise<Completion> {
  if (judged.kind !== 'unsure') return judged
  const path = `courses/${segment(courseId)}/modules?student_id=${learnerId}`
  let shown = 0
  for await (const page of call.list('the modules of a learner', path, moduleShape)) {
    if (page.some(({ state }) => state !== 'completed')) return { kind: 'not-completed' }
    shown += page.length
  }
  // Of somebody who is shown no module nothing is known.
  return shown > 0 ? { kind: 'completed', at: judged.at } : { kind: 'not-completed' }
}
