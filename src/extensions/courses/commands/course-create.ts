// credsync courses create FILE: creates a course from a file, with one request, and then checks the result.

import { resolve } from 'node:path'
import { type Cli, print, printJson, say } from '#src/cli/cli-context.ts'
import { confirm } from '#src/cli/confirm.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { openServiceForReading, type ServiceReading } from '#src/cli/open-service-for-reading.ts'
import { type CourseTarget, courseDifferences, visibleDifferences } from '#src/extensions/courses/course-difference.ts'
import { makeChange } from '#src/extensions/courses/make-change.ts'
import { planCreate } from '#src/extensions/courses/plan-change.ts'
import { CourseFileError, type ReadCourseFile, readCourseFile } from '#src/extensions/courses/read-course-file.ts'
import { readReferences } from '#src/extensions/courses/read-references.ts'
import { listsFor, type WantedCourse, wantedCourse } from '#src/extensions/courses/wanted-course.ts'
import type { CourseInput } from '#src/issuer/courses/course-fields.ts'
import { courseDetailShape } from '#src/issuer/courses/course-shapes.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import { changeReport } from './course-change-lines.ts'
import { excerpts, valueWords } from './course-value-text.ts'

export interface ChangeFileOptions {
  dryRun?: boolean
  yes?: boolean
  json?: boolean
  config?: string
}

export async function courseCreateCommand(cli: Cli, path: string, options: ChangeFileOptions): Promise<ExitCode> {
  const courseFile = await readCourseFile(resolve(cli.cwd, path))
  await using reading = await openServiceForReading(cli, options)
  const { issuer } = reading
  const wanted = await resolveNames(issuer, courseFile)
  const { input, faults } = planCreate(wanted.fields)
  refuseFaults(courseFile, wanted, faults)
  const number = String(input.courseNumber)
  const existing = await issuer.findCourseByNumber(number)
  if (existing)
    throw new UsageError(
      `The service already has a course with the number ${number} (${existing.course_uuid ?? 'no uuid'}). Change it with \`credsync courses update\`, or choose another number. Nothing was sent.`,
    )
  const target = targetOf(input)
  for (const line of newCourseLines(target, wanted)) say(cli, line)
  if (options.dryRun) {
    if (options.json) printJson(cli, { dryRun: true, number })
    return exitCode.ok
  }
  if (!(await confirm(cli, `Create this course in ${serviceName(reading)}?`, options))) return exitCode.interrupted
  const changeEnd = await makeChange({
    send: () => issuer.createCourse(input),
    async readCourse() {
      const found = await issuer.findCourseByNumber(number)
      return found?.course_uuid ? issuer.courseDetail(found.course_uuid) : null
    },
    // No course had this number before, so a course with it now was created by this command.
    classify: (now) => (now ? 'yes' : 'no'),
    mismatches: (now) => visibleDifferences(now, target),
    clock: cli.clock,
  })
  const howToCheck = '`credsync courses list`'
  const { lines, code } = changeReport(changeEnd, { done: 'The course was created', howToCheck, names: wanted.names })
  for (const line of lines) say(cli, line)
  const uuid = changeEnd.happened === 'yes' ? (changeEnd.now?.course_uuid ?? null) : null
  const { happened, mismatches, outcome } = changeEnd
  if (options.json) printJson(cli, { happened, course: uuid, number, outcome: { ...outcome }, otherwise: mismatches })
  else if (uuid) print(cli, uuid)
  return code
}

/**
 * Looks up the names in the file in the service's reference lists.
 * @throws whatever reading these lists throws
 */
export async function resolveNames(issuer: Issuer, courseFile: ReadCourseFile): Promise<WantedCourse> {
  return wantedCourse(courseFile, await readReferences(issuer, listsFor(courseFile.file)))
}

/** @throws CourseFileError; a name that was not found is not also reported as missing */
export function refuseFaults({ path }: ReadCourseFile, { faults }: WantedCourse, more: WantedCourse['faults']): void {
  const reported = new Set(faults.map(({ where }) => where))
  const all = [...faults, ...more.filter(({ where }) => !reported.has(where))]
  if (all.length > 0) throw new CourseFileError(path, all)
}

/** Names the destination, so that no one confirms a change to the wrong account. */
export function serviceName({ settings }: ServiceReading): string {
  return `${new URL(settings.baseUrl).host} (${settings.file.service.environment})`
}

function targetOf({ templateId = [], badgeTemplateId = [], ...fields }: CourseInput): CourseTarget {
  return { fields, templates: templateId, badgeTemplates: badgeTemplateId, existingImages: [] }
}

function newCourseLines(target: CourseTarget, { names }: WantedCourse): string[] {
  const emptyCourse = courseDetailShape.parse({})
  return courseDifferences(emptyCourse, target).flatMap(({ key, after }) =>
    after === null ? [] : [`  ${key}: ${excerpts('', valueWords(key, after, names))[1]}`],
  )
}
