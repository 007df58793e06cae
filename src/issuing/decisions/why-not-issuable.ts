// Checks whether the course of a pipeline would accept a new credential now. Called before the old credential is
// revoked, because a revocation cannot be undone and the person would be left without a credential. Calls the service.

import type { PipelineSettings } from '#config/schema.ts'
import { type CourseFacts, whyNotReady } from '#src/issuing/pipelines/course-cache.ts'
import { templatesNotInCourse } from '#src/issuing/pipelines/templates-not-in-course.ts'

/**
 * Returns null if the course would accept a new credential, otherwise the reason as part of a sentence. Never uses a
 * cached answer. Templates are not checked if the course details list none.
 * @throws whatever reading the course throws
 */
export async function whyNotIssuable(
  issuer: { courseDetail(uuid: string): Promise<CourseFacts> },
  courseUuid: string,
  pipeline: Pick<PipelineSettings, 'template' | 'badgeTemplate'>,
): Promise<string | null> {
  const course = await issuer.courseDetail(courseUuid)
  const why = whyNotReady(course)
  if (why !== null) return why
  const foreign = templatesNotInCourse(pipeline, course).find(({ has }) => has.length > 0)
  return foreign ? `the pipeline's ${foreign.setting} does not belong to the course (see \`credsync check\`)` : null
}
