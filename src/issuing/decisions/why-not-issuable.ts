// Checks whether the course of a pipeline would accept a new credential now, and whether it has the templates of the
// pipeline. Called before the old credential is revoked, because a revocation cannot be undone and the person would be
// left without a credential. Calls the service.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { type CourseFacts, whyNotReady } from '#src/issuing/pipelines/course-cache.ts'
import { sameUuid } from '#src/platform/uuid.ts'

/**
 * Returns null if the course would accept a new credential, otherwise the reason as part of a sentence. Never uses a
 * cached answer. Templates are not checked if the course details list none.
 * @throws any error from reading the course
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

/** Returns the templates of the pipeline that the course does not have, each with those that the course has. Pure. */
export function templatesNotInCourse<Detail extends { template_uuid: string | null }>(
  { template, badgeTemplate }: Pick<PipelineSettings, 'template' | 'badgeTemplate'>,
  { templateDetails, badgeTemplateDetail }: { templateDetails: Detail[]; badgeTemplateDetail: Detail[] },
) {
  const configured = [
    { setting: 'template', uuid: template, has: templateDetails },
    { setting: 'badgeTemplate', uuid: badgeTemplate, has: badgeTemplateDetail },
  ] as const
  return configured.filter(({ uuid, has }) => !has.some(({ template_uuid }) => sameUuid(template_uuid, uuid)))
}
