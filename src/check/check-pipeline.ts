// One pipeline against its course: does it exist, may it issue, does it know the templates, has it the fields that are mapped? What one
// question finds hides nothing of what the others find.

import type { PipelineSettings } from '#config/schema.ts'
import type { App } from '#src/app.ts'
import { CourseUnknownError, whyNotReady } from '#src/pipelines/course-desk.ts'
import { bad, type Check, good, guarded } from './check.ts'
import { checkColumns } from './check-columns.ts'
import { checkNamed } from './check-named.ts'
import { checkTemplates } from './check-templates.ts'
import type { Parts, ServicePart } from './open-parts.ts'
import { probeNotice } from './probe-notice.ts'

export type PipelineTools = ServicePart & Pick<Parts, 'pipelines' | 'ledger' | 'clock'>

/** What the looks at one pipeline share. */
export interface CheckedPipeline {
  name: string
  pipeline: PipelineSettings
  /** The course's uuid. */
  uuid: string
}

export type Course = Awaited<ReturnType<App['issuer']['courseDetail']>>

export async function checkPipeline(tools: PipelineTools, name: string): Promise<Check[]> {
  const pipeline = tools.pipelines.named(name)
  const more = { pipeline: name }
  let course: Course | null = null
  let of: CheckedPipeline | null = null
  const found = await guarded(
    'course',
    async () => {
      const uuid = await uuidOf(tools, name, pipeline)
      of = { name, pipeline, uuid }
      course = await detailOf(tools, of)
      return [judgeCourse(name, uuid, course)]
    },
    more,
  )
  // Of a course that there is not every further question would only repeat this fault.
  if (!of || found.some(({ fault }) => fault instanceof CourseUnknownError)) return found
  const one: CheckedPipeline = of
  const detail = course as Course | null
  const checks = [
    ...found,
    ...(detail ? await guarded('templates', () => checkTemplates(tools, one, detail), more) : []),
    ...(await checkNamed(tools, one)),
    ...(await guarded('columns', () => checkColumns(tools, one), more)),
  ]
  const { ledger, clock } = tools
  const well = ledger !== null && checks.every(({ ok }) => ok)
  const last = checks.at(-1)
  if (last && well) last.notices = [...(last.notices ?? []), await probeNotice({ ledger, clock }, name, one.uuid)]
  return checks
}

/** @throws CourseUnknownError that names the setting */
async function uuidOf({ courses }: PipelineTools, name: string, pipeline: PipelineSettings): Promise<string> {
  try {
    return await courses.uuidOf(pipeline)
  } catch (error) {
    if (!(error instanceof CourseUnknownError)) throw error
    throw new CourseUnknownError(
      `The service has no course with the number ${pipeline.courseNumber} (pipelines.${name}.courseNumber). Check it there, or give the course's uuid as course; \`credsync courses list\` shows both.`,
    )
  }
}

/** @throws CourseUnknownError that names the setting, where the service says no to the uuid */
async function detailOf({ issuer }: PipelineTools, { name, pipeline, uuid }: CheckedPipeline): Promise<Course> {
  try {
    return await issuer.courseDetail(uuid)
  } catch (error) {
    const { name: kind, status } = error as { name?: unknown; status?: unknown }
    if (kind !== 'ServiceRefusedError' || (status !== 404 && status !== 400)) throw error
    const setting = pipeline.course ? 'course' : 'courseNumber'
    throw new CourseUnknownError(
      `The service does not know the course ${uuid} (pipelines.${name}.${setting}), and answers ${status}. Check it, and that it is a course of this account and environment; \`credsync courses list\` shows those there are.`,
    )
  }
}

function judgeCourse(name: string, uuid: string, course: Course): Check {
  const why = whyNotReady(course)
  const called = course.course_name ?? uuid
  const more = { pipeline: name }
  if (!why) return good('course', `${called} is approved and enabled`, more)
  const remedy =
    course.approval_status_id === 2
      ? `Run \`credsync courses enable ${name}\`. Rows wait as pending until then and go by themselves`
      : 'Ask the certification body. Rows wait as pending until then and go by themselves'
  return bad('course', why.replace('; enable it', ''), remedy, more)
}
