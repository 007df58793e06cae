// Whether the course of a pipeline would take one more credential now: looked at before anything is revoked for it, since a revocation
// cannot be taken back and the person would stand there with nothing.

import type { PipelineSettings } from '#config/schema.ts'
import { strangeTemplates } from '#src/check/check-templates.ts'
import { type CourseFacts, whyNotReady } from '#src/pipelines/course-desk.ts'

/**
 * Null when it would, else why not, as a part of a sentence. The service is asked each time, whatever it said a moment ago. A course whose detail
 * shows no templates at all says nothing about them.
 * @throws what asking for the course throws
 */
export async function whyNotIssuable(
  issuer: { courseDetail(uuid: string): Promise<CourseFacts> },
  courseUuid: string,
  pipeline: Pick<PipelineSettings, 'template' | 'badgeTemplate'>,
): Promise<string | null> {
  const course = await issuer.courseDetail(courseUuid)
  const why = whyNotReady(course)
  if (why !== null) return why
  const strange = strangeTemplates(pipeline, course).find(({ has }) => has.length > 0)
  return strange ? `the ${strange.setting} of the pipeline does not belong to the course (\`credsync check\`)` : null
}
