// credsync courses create FILE: a new course from a file, asked for once and looked up afterwards.

import { resolve } from 'node:path'
import { type CourseTarget, differenceTo, seenDifferenceTo } from '#src/courses/course-difference.ts'
import { CourseFileError } from '#src/courses/course-file-error.ts'
import { makeChange } from '#src/courses/make-change.ts'
import { planCreate } from '#src/courses/plan-create.ts'
import { type ReadCourseFile, readCourseFile } from '#src/courses/read-course-file.ts'
import { readReferences } from '#src/courses/read-references.ts'
import { listsFor, type WantedCourse, wantedCourse } from '#src/courses/wanted-course.ts'
import type { CourseInput } from '#src/issuer/course-fields.ts'
import { courseDetailShape } from '#src/issuer/course-shapes.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import { confirm } from '../confirm.ts'
import { endWords } from '../course-lines.ts'
import { courseRequest, requestLines } from '../course-request.ts'
import { excerpts, valueWords } from '../course-words.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { readService, type ServiceReading } from '../service-reading.ts'
import { answer, answerJson, type Cli, say } from '../surroundings.ts'

export interface ChangeFileOptions {
  dryRun?: boolean
  yes?: boolean
  json?: boolean
  config?: string
}

export async function courseCreateCommand(cli: Cli, path: string, options: ChangeFileOptions): Promise<ExitCode> {
  const read = await readCourseFile(resolve(cli.cwd, path))
  await using reading = await readService(cli, options)
  const { issuer } = reading
  const wanted = await understand(issuer, read)
  const { input, faults } = planCreate(wanted.fields)
  refuseFaults(read, wanted, faults)
  const number = String(input.courseNumber)
  const there = await issuer.findCourseByNumber(number)
  if (there)
    throw new UsageError(
      `The service has a course with the number ${number} already (${there.course_uuid ?? 'no uuid'}). Change it with \`credsync courses update\`, or choose another number. Nothing was sent.`,
    )
  if (options.dryRun) {
    const request = courseRequest(input, null)
    if (options.json) answerJson(cli, { dryRun: true, request })
    else for (const line of requestLines(request)) answer(cli, line)
    return exitCode.ok
  }
  const target = targetOf(input)
  for (const line of newCourseLines(target, wanted)) say(cli, line)
  if (!(await confirm(cli, `Create this course at ${serviceWords(reading)}?`, options))) return exitCode.interrupted
  const end = await makeChange({
    send: () => issuer.createCourse(input),
    async look() {
      const found = await issuer.findCourseByNumber(number)
      return found?.course_uuid ? issuer.courseDetail(found.course_uuid) : null
    },
    // There was none of this number a moment ago.
    judge: (now) => (now ? 'yes' : 'no'),
    otherwise: (now) => seenDifferenceTo(now, target),
    clock: cli.clock,
  })
  const again = '`credsync courses list`'
  const { lines, code } = endWords(end, { done: 'The course was created', again, names: wanted.names })
  for (const line of lines) say(cli, line)
  const uuid = end.happened === 'yes' ? (end.now?.course_uuid ?? null) : null
  const { happened, otherwise, outcome } = end
  if (options.json) answerJson(cli, { happened, course: uuid, number, outcome: { ...outcome }, otherwise })
  else if (uuid) answer(cli, uuid)
  return code
}

/** The names of the file looked up in the lists of the service that they belong to. Throws what these lists throw. */
export async function understand(issuer: Issuer, read: ReadCourseFile): Promise<WantedCourse> {
  return wantedCourse(read, await readReferences(issuer, listsFor(read.file)))
}

/** @throws CourseFileError; a name that was not found is not also told as missing */
export function refuseFaults({ path }: ReadCourseFile, { faults }: WantedCourse, more: WantedCourse['faults']): void {
  const told = new Set(faults.map(({ where }) => where))
  const all = [...faults, ...more.filter(({ where }) => !told.has(where))]
  if (all.length > 0) throw new CourseFileError(path, all)
}

/** Where it goes, so that nobody says yes to the wrong account. */
export function serviceWords({ settings }: ServiceReading): string {
  return `${new URL(settings.baseUrl).host} (${settings.file.service.environment})`
}

function targetOf({ templateId = [], badgeTemplateId = [], ...fields }: CourseInput): CourseTarget {
  return { fields, templates: templateId, badgeTemplates: badgeTemplateId, heldImages: [] }
}

function newCourseLines(target: CourseTarget, { names }: WantedCourse): string[] {
  const nothing = courseDetailShape.parse({})
  return differenceTo(nothing, target).flatMap(({ key, after }) =>
    after === null ? [] : [`  ${key}: ${excerpts('', valueWords(key, after, names))[1]}`],
  )
}
