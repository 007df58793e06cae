// A pipeline's settings and a batch of recipients become the request for one invitation. Pure.

import type { PipelineSettings } from '#config/schema.ts'

export function invitationOf(pipeline: PipelineSettings, courseUuid: string, recipients: Record<string, string>[]) {
  return {
    courseUuid,
    templateUuid: pipeline.template,
    badgeTemplateUuid: pipeline.badgeTemplate,
    options: pipeline.options,
    // Left out when empty: the service then uses what is configured for the certificate.
    ...(pipeline.signatures.length > 0 && {
      signatures: pipeline.signatures.map((each) => (typeof each === 'string' ? { uuid: each, required: true } : each)),
    }),
    ...(pipeline.sponsors.length > 0 && { sponsors: pipeline.sponsors }),
    ...(pipeline.mailTemplate && { mailTemplateUuid: pipeline.mailTemplate }),
    students: recipients,
  }
}
