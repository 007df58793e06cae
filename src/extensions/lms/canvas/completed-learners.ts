// Finds learners who completed a course and are not known yet. Calls the Canvas API.

import type { CanvasCall } from './call.ts'
import { CanvasError } from './canvas-error.ts'
import { type CanvasLearner, concludedLearners, learners } from './learner.ts'
import { type CanvasCompletion, openCourseCompletions, progressOfAll } from './progress.ts'

export type FoundInCanvas =
  | { kind: 'completed'; learner: CanvasLearner; at: Date }
  | { kind: 'undecided'; learnerId: string }
  /** Canvas refused the request about this learner; the others are not affected. */
  | { kind: 'failed'; learnerId: string; error: CanvasError }

/** The latest known completion of each learner. Forgotten learners can be recognized (`has`), but have no time. */
export type LatestCompletions = Pick<ReadonlyMap<string, Date>, 'has' | 'get'>

/**
 * Yields each current student whose id is not in `known` and who completed the course, or about whom Canvas gave no
 * clear answer. Reads the progress of all students page by page, then the details of those who completed, fifty at a
 * time. With `latest`, also yields people whose enrollment is concluded: those in `latest` with the time that it has,
 * the others after their progress was read, one call for each.
 * @throws CanvasError `record` for a course without requirements
 */
export async function* completedInCanvas(
  call: CanvasCall,
  courseId: string,
  known: Pick<ReadonlySet<string>, 'has'>,
  latest?: LatestCompletions,
): AsyncGenerator<FoundInCanvas, void, undefined> {
  const completions = openCourseCompletions(call, courseId)
  const times = new Map<string, Date>()
  const current = new Set<string>()
  for await (const page of progressOfAll(call, courseId))
    for (const { id, progress } of page) {
      current.add(id)
      if (known.has(id)) continue
      const found = await completions.decide(id, false, progress).catch(asLearnerFailure)
      if (found.kind === 'completed') times.set(id, found.at)
      else yield* unclear(id, found)
    }
  for await (const learner of learners(call, courseId, [...times.keys()])) {
    const at = times.get(learner.id)
    if (at) yield { kind: 'completed', learner, at }
  }
  if (!latest) return
  for await (const learner of concludedLearners(call, courseId)) {
    const { id } = learner
    if (current.has(id)) continue
    const knownAt = latest.get(id)
    const found = knownAt
      ? { kind: 'completed' as const, at: knownAt }
      : latest.has(id)
        ? { kind: 'not-completed' as const }
        : await completions.read(id, true).catch(asLearnerFailure)
    if (found.kind === 'completed') yield { kind: 'completed', learner, at: found.at }
    else yield* unclear(id, found)
  }
}

type LearnerFailure = { kind: 'failed'; error: CanvasError }

function* unclear(learnerId: string, found: CanvasCompletion | LearnerFailure): Generator<FoundInCanvas> {
  if (found.kind === 'failed' || found.kind === 'undecided') yield { ...found, learnerId }
}

function asLearnerFailure(error: unknown): LearnerFailure {
  if (error instanceof CanvasError && error.failure.isOfCourse) return { kind: 'failed', error }
  throw error
}
