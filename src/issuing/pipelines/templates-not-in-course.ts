// Compares the templates of a pipeline with those of its course. Pure.

import type { PipelineSettings } from '#config/schema.ts'
import { sameUuid } from '#src/platform/uuid.ts'

/**
 * Returns the templates of the pipeline that the course does not have, each with the ones the course has instead.
 */
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
