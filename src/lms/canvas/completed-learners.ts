// Finds learners who completed a course and are not known yet. Calls the Canvas API.

import type { CanvasCall } from './call.ts'
import { CanvasError } from './canvas-error.ts'
import { type CanvasLearner, learners } from './learner.ts'
import { progressOfAll, readProgress, resolveUnsure } from './progress.ts'

export type FoundInCanvas =
  | { kind: 'completed'; learner: CanvasLearner; at: Date }
  | { kind: 'undated'; learnerId: string }
  /** Canvas refused the request about this learner; the others are not affected. */
  | { kind: 'failed'; learnerId: string; error: CanvasError }

/**
 * Yields each student whose id is not in `known` and who completed the course, or whose completion has no date or could
 * not be read. Reads the progress of all students page by page, then the details of those who completed, fifty at a
 * time. Former students are not found, whether or not they completed the course.
 * @throws CanvasError `record` for a course without requirements
 */
export async function* completedInCanvas(
  call: CanvasCall,
  courseId: string,
  known: Pick<ReadonlySet<string>, 'has'>,
): AsyncGenerator<FoundInCanvas, void, undefined> {
  const times = new Map<string, Date>()
  for await (const page of progressOfAll(call, courseId))
    for (const { id, progress } of page) {
      if (known.has(id)) continue
      const found = await resolveUnsure(call, courseId, id, readProgress(progress)).catch(asLearnerFailure)
      if (found.kind === 'undated' || found.kind === 'failed') yield { ...found, learnerId: id }
      if (found.kind === 'completed') times.set(id, found.at)
    }
  for await (const learner of learners(call, courseId, [...times.keys()])) {
    const at = times.get(learner.id)
    if (at) yield { kind: 'completed', learner, at }
  }
}

function asLearnerFailure(error: unknown): { kind: 'failed'; error: CanvasError } {
  if (error instanceof CanvasError && (error.fault === 'record' || error.fault === 'forbidden'))
    return { kind: 'failed', error }
  throw error
}
