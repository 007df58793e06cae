// Finds who completed a course and is not known yet.

import type { Call } from './call.ts'
import { CanvasError } from './canvas-error.ts'
import { type CanvasLearner, learners } from './learner.ts'
import { judgeProgress, progressOfAll, sure } from './progress.ts'

export type FoundCompletion =
  | { kind: 'completed'; learner: CanvasLearner; at: Date }
  | { kind: 'undated' }
  /** Canvas said no to this one learner; the others go on. */
  | { kind: 'failed'; error: CanvasError }

/**
 * Everybody who completed the course and whose id is not in `known`: the progress of all in pages, then who they are, fifty at a time. Who is a student
 * no more is not found; neither does that say that they did not complete. Throws a CanvasError `record` for a course without requirements.
 */
export async function* completedLearners(
  call: Call,
  courseId: string,
  known: ReadonlySet<string>,
): AsyncGenerator<FoundCompletion, void, undefined> {
  const times = new Map<string, Date>()
  for await (const page of progressOfAll(call, courseId))
    for (const { id, progress } of page) {
      if (known.has(id)) continue
      const found = await sure(call, courseId, id, judgeProgress(progress)).catch(ofThisLearner)
      if (found.kind === 'undated' || found.kind === 'failed') yield found
      if (found.kind === 'completed') times.set(id, found.at)
    }
  for await (const learner of learners(call, courseId, [...times.keys()])) {
    const at = times.get(learner.id)
    if (at) yield { kind: 'completed', learner, at }
  }
}

function ofThisLearner(error: unknown): Extract<FoundCompletion, { kind: 'failed' }> {
  if (error instanceof CanvasError && (error.fault === 'record' || error.fault === 'forbidden'))
    return { kind: 'failed', error }
  throw error
}
