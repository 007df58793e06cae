// Builds the request for one invitation from a pipeline's settings and a batch of recipients. Pure.

import type { PipelineSettings } from '#config/pipeline-settings.ts'

export function buildInvitation(pipeline: PipelineSettings, courseUuid: string, recipients: Record<string, string>[]) {
  return {
    courseUuid,
    templateUuid: pipeline.template,
    badgeTemplateUuid: pipeline.badgeTemplate,
    options: pipeline.options,
    // Empty settings are left out, so that the service uses what is configured for the certificate.
    ...(pipeline.signatures.length > 0 && {
      signatures: pipeline.signatures.map((signature) =>
        typeof signature === 'string' ? { uuid: signature, required: true } : signature,
      ),
    }),
    ...(pipeline.sponsors.length > 0 && { sponsors: pipeline.sponsors }),
    ...(pipeline.mailTemplate && { mailTemplateUuid: pipeline.mailTemplate }),
    students: recipients,
  }
}
