// Checks one pipeline against its course: the course exists, may issue, and has the templates and the mapped fields.
// The checks are independent: a fault found by one does not hide those of the others. Calls the service; reads the
// ledger.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { firstListNotices } from '#src/extensions/notices/check/check-notify.ts'
import { probeNotices } from '#src/extensions/probe/check/probe-notice.ts'
import { templatesNotInCourse } from '#src/issuing/decisions/why-not-issuable.ts'
import { CourseUnknownError, whyNotReady } from '#src/issuing/pipelines/course-cache.ts'
import { checkColumns } from './check-columns.ts'
import { checkReferences } from './check-references.ts'
import { type Check, faulty, passed, runSafely } from './check-result.ts'
import type { CheckedCourse, CheckedPipeline, PipelineTools } from './checked-pipeline.ts'

export async function checkPipeline(tools: PipelineTools, name: string): Promise<Check[]> {
  const pipeline = tools.pipelines.named(name)
  const subject = { pipeline: name }
  let course: CheckedCourse | null = null
  let checked: CheckedPipeline | null = null
  const courseChecks = await runSafely(
    'course',
    async () => {
      const uuid = await uuidOf(tools, name, pipeline)
      checked = { name, pipeline, uuid }
      course = await detailOf(tools, checked)
      return [checkReadiness(name, uuid, course)]
    },
    subject,
  )
  // If the course does not exist, the other checks would only repeat that fault.
  if (!checked || courseChecks.some(({ fault }) => fault instanceof CourseUnknownError)) return courseChecks
  const resolved: CheckedPipeline = checked
  const detail = course as CheckedCourse | null
  const checks = [
    ...courseChecks,
    ...(detail ? checkTemplates(resolved, detail) : []),
    ...(await checkReferences(tools, resolved)),
    ...(await runSafely('columns', () => checkColumns(tools, resolved), subject)),
  ]
  const { ledger, clock } = tools
  const hasNoFault = ledger !== null && checks.every(({ ok }) => ok)
  const last = checks.at(-1)
  const notices = dayLimitNotices(pipeline)
  if (hasNoFault)
    notices.push(
      ...(await firstListNotices({ ...tools, ledger }, resolved.uuid, tools.tuning.pageSize)),
      ...(await probeNotices({ ledger, clock }, name, resolved.uuid)),
    )
  if (last && notices.length > 0) last.notices = [...(last.notices ?? []), ...notices]
  return checks
}

/** Only completions need this limit: they arrive by themselves, while files come one at a time. */
function dayLimitNotices({ source, brake }: PipelineSettings): string[] {
  if (source === undefined || !('system' in source) || brake?.perDay !== undefined) return []
  return [
    `nothing limits how many completions from ${source.system} are issued in a day, whatever it reports: set brake.perDay`,
  ]
}

/** @throws CourseUnknownError naming the setting */
async function uuidOf({ courses }: PipelineTools, name: string, pipeline: PipelineSettings): Promise<string> {
  try {
    return await courses.uuidOf(pipeline)
  } catch (error) {
    if (!(error instanceof CourseUnknownError)) throw error
    throw new CourseUnknownError(
      `The service has no course with the number ${pipeline.courseNumber} (pipelines.${name}.courseNumber). Check the number in the portal, or set course to its uuid; \`credsync courses list\` shows both.`,
    )
  }
}

/** @throws CourseUnknownError naming the setting, if the service rejects the uuid */
async function detailOf({ issuer }: PipelineTools, { name, pipeline, uuid }: CheckedPipeline): Promise<CheckedCourse> {
  try {
    return await issuer.courseDetail(uuid)
  } catch (error) {
    const { name: kind, status } = error as { name?: unknown; status?: unknown }
    if (kind !== 'ServiceRefusedError' || (status !== 404 && status !== 400)) throw error
    const setting = pipeline.course ? 'course' : 'courseNumber'
    throw new CourseUnknownError(
      `The service has no course ${uuid} (pipelines.${name}.${setting}; HTTP ${status}). Check the uuid, and that the course belongs to this account and environment; \`credsync courses list\` shows the existing ones.`,
    )
  }
}

function checkReadiness(name: string, uuid: string, course: CheckedCourse): Check {
  const why = whyNotReady(course)
  const displayName = course.course_name ?? uuid
  const subject = { pipeline: name }
  if (!why) return passed('course', `${displayName} is approved and enabled`, subject)
  const remedy =
    course.approval_status_id === 2
      ? `Run \`credsync courses enable ${name}\`. Rows wait as pending until then and are then sent automatically`
      : 'Ask the certification body about the course. Rows wait as pending until then and are then sent automatically'
  return faulty('course', why.replace('; enable it', ''), remedy, subject)
}

function checkTemplates({ name, pipeline }: CheckedPipeline, course: CheckedCourse): Check[] {
  const foreign = templatesNotInCourse(pipeline, course)
  const subject = { pipeline: name }
  if (foreign.length === 0) return [passed('templates', 'the course has the template and the badge template', subject)]
  return foreign.map(({ setting, uuid, has }) =>
    faulty(
      'templates',
      `${setting} ${uuid} does not belong to the course. The course has: ${listNames(has)}`,
      `Correct pipelines.${name}.${setting}, or assign the template to the course with \`credsync courses update\``,
      subject,
    ),
  )
}

function listNames(list: CheckedCourse['templateDetails']): string {
  return list.map((entry) => `${entry.template_uuid} (${entry.template_name ?? 'without a name'})`).join(', ') || 'none'
}
