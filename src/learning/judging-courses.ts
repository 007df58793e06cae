// The courses of a learning system while deliveries are judged: each is asked for once, and one that is refused is not asked for again. Of thirty
// events most are about one course, and the trouble of one keeps no other waiting.

import type { AskedCourse, AskedSystem } from './asked-system.ts'
import type { CompletionPipeline } from './open-learning.ts'
import type { Hint } from './read-delivery.ts'
import { troubleOf } from './system-trouble.ts'

/** A course as a pipeline names it, and why nothing can be asked about it just now: a sentence without values. */
export interface JudgedCourse {
  /** Null where the system has none, undefined where it does not say which it is. */
  course: AskedCourse | null | undefined
  trouble: string | null
}

export interface JudgingCourses {
  /** @throws what the system throws that is about more than this course */
  of(asked: AskedSystem, pipeline: CompletionPipeline): Promise<JudgedCourse>
}

export function openJudgingCourses(): JudgingCourses {
  const known = new Map<string, JudgedCourse>()
  return {
    async of(asked, pipeline) {
      const found = known.get(pipeline.pipeline) ?? (await lookUp(asked, pipeline))
      known.set(pipeline.pipeline, found)
      return found
    },
  }
}

async function lookUp(asked: AskedSystem, pipeline: CompletionPipeline): Promise<JudgedCourse> {
  try {
    const course = await asked.course(pipeline)
    return { course, trouble: course ? null : courseGone(pipeline) }
  } catch (error) {
    return { course: undefined, trouble: troubleOfCourse(error, pipeline) }
  }
}

/** @throws whatever is not about one course alone */
export function troubleOfCourse(error: unknown, { pipeline }: CompletionPipeline): string {
  const trouble = troubleOf(error)
  if (!trouble?.isOfCourse) throw error
  return `Pipeline ${pipeline}: ${trouble.sentence}`
}

export function courseGone({ pipeline }: CompletionPipeline): string {
  return `Pipeline ${pipeline}: there is no course as its source names it. It was deleted or renamed, or is hidden from the account; mend it there or in the configuration.`
}

/** `perhaps`: of a course that the system does not tell us apart from others. */
export function concerns(hint: Hint, { course }: JudgedCourse, pipeline: CompletionPipeline): 'yes' | 'no' | 'perhaps' {
  if (course ? course.isAbout(hint) : hint.course === pipeline.course) return 'yes'
  return course === undefined ? 'perhaps' : 'no'
}
