// Looks up the courses of a learning system, over the network, while events are processed. Each course is requested
// only once, even if the request fails: most events in a batch are about the same course, and a problem with one course
// must not block the others.

import type { Hint } from '#src/extensions/lms/systems/inbound-system.ts'
import type { CompletionPipeline, PolledCourse, PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'

/** The course of a pipeline, or the reason why the lookup failed: a message without personal data. */
export interface CourseToVerify {
  /** Null when the system has no such course, undefined when the lookup failed. */
  course: PolledCourse | null | undefined
  failure: string | null
}

export type CoursesToVerify = ReturnType<typeof openCoursesToVerify>

export function openCoursesToVerify() {
  const cache = new Map<string, CourseToVerify>()
  return {
    /**
     * Looks up the course of the pipeline; a pipeline that was looked up before is not requested again.
     * @throws any error that affects more than this course
     */
    async find(system: PolledSystem, pipeline: CompletionPipeline): Promise<CourseToVerify> {
      const found = cache.get(pipeline.pipeline) ?? (await lookUp(system, pipeline))
      cache.set(pipeline.pipeline, found)
      return found
    },
  }
}

async function lookUp(system: PolledSystem, pipeline: CompletionPipeline): Promise<CourseToVerify> {
  try {
    const course = await system.course(pipeline)
    return { course, failure: course ? null : courseGoneMessage(pipeline) }
  } catch (error) {
    return { course: undefined, failure: courseFailure(error, pipeline) }
  }
}

/**
 * Returns the message about an error that affects only the course of this pipeline.
 * @throws any other error
 */
export function courseFailure(error: unknown, { pipeline }: CompletionPipeline): string {
  const failure = systemFailureOf(error)
  if (!failure?.isOfCourse) throw error
  return `Pipeline ${pipeline}: ${failure.sentence}`
}

export function courseGoneMessage({ pipeline, system, course }: CompletionPipeline): string {
  return `Pipeline ${pipeline}: ${system} shows no course ${course}. Its settings name it differently now, or it was deleted or is hidden from the account; fix it in ${system}, or correct \`course\` in the source of the pipeline.`
}

/**
 * Decides whether a hint is about the course of a pipeline. `perhaps` when the course could not be looked up, so that
 * its hints cannot be distinguished from hints about other courses. Pure.
 */
export function concerns(
  hint: Hint,
  { course }: CourseToVerify,
  pipeline: CompletionPipeline,
): 'yes' | 'no' | 'perhaps' {
  if (course ? course.isAbout(hint) : hint.course === pipeline.course) return 'yes'
  return course === undefined ? 'perhaps' : 'no'
}
