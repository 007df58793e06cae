// One pipeline against its course: does it exist, may it issue, does it know the templates, has it the fields that are mapped?

import type { PipelineSettings } from '#config/schema.ts'
import type { App } from '#src/app.ts'
import { CourseUnknownError, whyNotReady } from '#src/pipelines/course-desk.ts'
import { identityRuleOf } from '#src/pipelines/identity-rule.ts'
import type { ColumnSpec } from '#src/recipients/column-plan.ts'
import { compileRules } from '#src/recipients/compile-rules.ts'
import type { Field } from '#src/recipients/field.ts'
import { looseName } from '#src/recipients/loose-name.ts'
import { planColumns } from '#src/recipients/plan-columns.ts'
import { checkSheet, UploadSheetError } from '#src/upload/check-sheet.ts'
import type { Check } from './check-app.ts'
import { probeNotice } from './probe-notice.ts'
import { speakable } from './speakable.ts'

export async function checkPipeline(
  app: Pick<App, 'issuer' | 'courses' | 'pipelines' | 'ledger' | 'clock' | 'uploads'>,
  name: string,
): Promise<Check[]> {
  const pipeline = app.pipelines.named(name)
  const what = `pipeline ${name}`
  try {
    const uuid = await app.courses.uuidOf(pipeline)
    const course = await app.issuer.courseDetail(uuid).catch((error) => {
      throw asUnknownCourse(error, name, uuid)
    })
    const fields = await app.issuer.fieldList(uuid)
    const sheet = await askSheet(app, pipeline, uuid, fields)
    const faults = [...courseFaults(pipeline, course), ...columnFaults(pipeline, fields), ...sheet.faults]
    const warnings = compileRules(fields).warnings.map((warning) => warning.sentence)
    const told = fields.map(({ displayName, required }) => ({ name: displayName, required }))
    // Whoever has to mend columns needs the list most.
    if (faults.length > 0)
      return faults.map((sentence, at) => ({
        what,
        ok: false,
        sentence,
        ...(at === faults.length - 1 && { fields: told }),
      }))
    warnings.push(...sheet.notices)
    const notes = warnings.length > 0 ? `. Note: ${warnings.join(' ')}` : ''
    return [
      {
        what,
        ok: true,
        sentence: `${course.course_name ?? uuid} is approved and enabled, the templates are known, ${fields.length} fields${notes}`,
        notices: [await probeNotice(app, name, uuid)],
        fields: told,
      },
    ]
  } catch (fault) {
    return [{ what, ok: false, sentence: speakable(fault), fault }]
  }
}

/** A no to the course's uuid, with the setting that has it. Any other fault as it is. */
function asUnknownCourse(error: unknown, pipeline: string, uuid: string): unknown {
  const { name, status } = error as { name?: unknown; status?: unknown }
  if (name !== 'ServiceRefusedError' || (status !== 404 && status !== 400)) return error
  return new CourseUnknownError(
    `The service does not know the course ${uuid} (pipelines.${pipeline}.course), and answers ${status}. Check the uuid, and that it is a course of this account and environment.`,
  )
}

/** What the sheet of an upload must have room for, whatever the file: fields that are mapped or required, and images where their column is named. */
async function askSheet(
  { uploads }: Pick<App, 'uploads'>,
  { columns, batch }: PipelineSettings,
  course: string,
  fields: readonly Field[],
): Promise<{ notices: readonly string[]; faults: readonly string[] }> {
  const mapped = new Set(Object.keys(columns).map(looseName))
  const sure = fields.filter(({ required, displayName }) => required || mapped.has(looseName(displayName)))
  const content = { fields: sure.map((field) => field.displayName), images: batch.imageColumn !== undefined }
  try {
    return { notices: await checkSheet(uploads, batch, course, content), faults: [] }
  } catch (error) {
    if (error instanceof UploadSheetError) return { notices: [], faults: error.faults }
    throw error
  }
}

type Course = Awaited<ReturnType<App['issuer']['courseDetail']>>

function courseFaults(pipeline: PipelineSettings, course: Course): string[] {
  const faults: string[] = []
  const why = whyNotReady(course)
  if (why) faults.push(`${why}. Rows wait as pending until then and go by themselves`)
  const knows = (list: Course['templateDetails'], uuid: string) =>
    list.some((each) => each.template_uuid?.toLowerCase() === uuid.toLowerCase())
  if (!knows(course.templateDetails, pipeline.template))
    faults.push(`template ${pipeline.template} does not belong to the course. It has: ${named(course.templateDetails)}`)
  if (!knows(course.badgeTemplateDetail, pipeline.badgeTemplate))
    faults.push(
      `badgeTemplate ${pipeline.badgeTemplate} does not belong to the course. It has: ${named(course.badgeTemplateDetail)}`,
    )
  return faults
}

function named(list: Course['templateDetails']): string {
  return list.map((each) => `${each.template_uuid} (${each.template_name ?? 'without a name'})`).join(', ') || 'none'
}

/** The file is not there yet, so it is taken to have every column that is named, and one for each field that is not. */
function columnFaults(pipeline: PipelineSettings, fields: readonly Field[]): string[] {
  const columns = pipeline.columns as Record<string, ColumnSpec>
  const mapped = Object.values(columns).flatMap((spec) =>
    typeof spec === 'string' ? [spec] : 'column' in spec ? [spec.column] : [],
  )
  const spoken = new Set([...mapped, ...Object.keys(columns)].map(looseName))
  const unnamed = fields.map((field) => field.displayName).filter((name) => !spoken.has(looseName(name)))
  const { faults } = planColumns([...new Set([...mapped, ...unnamed])], columns, fields)
  return [...faults.map((fault) => fault.sentence), ...identityRuleOf(pipeline, fields).faults]
}
