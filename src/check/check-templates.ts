// Checks that the course has the two templates of a pipeline. For a missing one, looks up in the account's list whether
// it exists there. Calls the service.

import { collectItems } from '#src/issuer/lists/walk-list.ts'
import { templatesNotInCourse } from '#src/issuing/pipelines/templates-not-in-course.ts'
import { sameUuid } from '#src/platform/uuid.ts'
import { type Check, faulty, passed } from './check-result.ts'
import type { CheckedCourse, CheckedPipeline, PipelineTools } from './checked-pipeline.ts'

type Listed = CheckedCourse['templateDetails']

export async function checkTemplates(
  { issuer }: Pick<PipelineTools, 'issuer'>,
  { name, pipeline }: CheckedPipeline,
  course: CheckedCourse,
): Promise<Check[]> {
  const foreign = templatesNotInCourse(pipeline, course)
  const subject = { pipeline: name }
  if (foreign.length === 0) return [passed('templates', 'the course has the template and the badge template', subject)]
  const known = await allTemplates(issuer)
  return foreign.map(({ setting, uuid, has }) =>
    faulty(
      'templates',
      `${setting} ${uuid} does not belong to the course. The course has: ${listNames(has)}`,
      remedyFor(`pipelines.${name}.${setting}`, uuid, known),
      subject,
    ),
  )
}

/**
 * Returns all templates of the account; null if the list is incomplete, because a missing entry then proves nothing.
 */
async function allTemplates(issuer: PipelineTools['issuer']): Promise<Listed | null> {
  const list = await collectItems(issuer.listTemplates()).catch(() => null)
  return list?.complete ? list.items : null
}

function remedyFor(where: string, uuid: string, known: Listed | null): string {
  const inAccount = known?.find(({ template_uuid }) => sameUuid(template_uuid, uuid))
  if (inAccount)
    return `The account has this template (${inAccount.template_name ?? 'without a name'}): assign it to the course with \`credsync courses update\`, or correct ${where}`
  const notInAccount = known ? '; the account has none with this uuid' : ''
  return `Correct ${where}${notInAccount}`
}

function listNames(list: Listed): string {
  return list.map((entry) => `${entry.template_uuid} (${entry.template_name ?? 'without a name'})`).join(', ') || 'none'
}
