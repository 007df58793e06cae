// The two templates of a pipeline: the course must have them, and where it has not, the account's list tells whether they exist at all.

import type { PipelineSettings } from '#config/schema.ts'
import { collectItems } from '#src/issuer/list.ts'
import { bad, type Check, good } from './check.ts'
import type { CheckedPipeline, Course, PipelineTools } from './check-pipeline.ts'

type Listed = Course['templateDetails']

export async function checkTemplates(
  { issuer }: Pick<PipelineTools, 'issuer'>,
  { name, pipeline }: CheckedPipeline,
  course: Course,
): Promise<Check[]> {
  const strange = strangeTemplates(pipeline, course)
  const more = { pipeline: name }
  if (strange.length === 0) return [good('templates', 'the course has the template and the badge template', more)]
  const known = await allTemplates(issuer)
  return strange.map(({ setting, uuid, has }) =>
    bad(
      'templates',
      `${setting} ${uuid} does not belong to the course. It has: ${named(has)}`,
      remedyFor(`pipelines.${name}.${setting}`, uuid, known),
      more,
    ),
  )
}

/** Those of the pipeline's two that the course does not have, each with those it has. */
export function strangeTemplates<Detail extends { template_uuid: string | null }>(
  { template, badgeTemplate }: Pick<PipelineSettings, 'template' | 'badgeTemplate'>,
  { templateDetails, badgeTemplateDetail }: { templateDetails: Detail[]; badgeTemplateDetail: Detail[] },
) {
  const asked = [
    { setting: 'template', uuid: template, has: templateDetails },
    { setting: 'badgeTemplate', uuid: badgeTemplate, has: badgeTemplateDetail },
  ] as const
  return asked.filter(({ uuid, has }) => !has.some(({ template_uuid }) => sameUuid(template_uuid, uuid)))
}

/** Null where it cannot be read whole: then nothing is concluded from what is missing. */
async function allTemplates(issuer: PipelineTools['issuer']): Promise<Listed | null> {
  const list = await collectItems(issuer.listTemplates()).catch(() => null)
  return list?.complete ? list.items : null
}

function remedyFor(where: string, uuid: string, known: Listed | null): string {
  const one = known?.find(({ template_uuid }) => sameUuid(template_uuid, uuid))
  if (one)
    return `The account has it (${one.template_name ?? 'without a name'}): give it to the course with \`credsync courses update\`, or correct ${where}`
  const nowhere = known ? '; the account has none with this uuid' : ''
  return `Correct ${where}${nowhere}`
}

export function sameUuid(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

function named(list: Listed): string {
  return list.map((each) => `${each.template_uuid} (${each.template_name ?? 'without a name'})`).join(', ') || 'none'
}
