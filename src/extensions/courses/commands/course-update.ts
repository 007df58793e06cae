// credsync courses update COURSE FILE: changes the fields that the file names and sends all others unchanged, because
// the service sets omitted fields to null.

import { resolve } from 'node:path'
import { type Cli, printJson, say } from '#src/cli/cli-context.ts'
import { confirm } from '#src/cli/confirm.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { openServiceForReading } from '#src/cli/open-service-for-reading.ts'
import { existingImages, templateUuids, visibleDifferences } from '#src/extensions/courses/course-difference.ts'
import { namesIn } from '#src/extensions/courses/course-yaml.ts'
import { checkUpdate, makeChange } from '#src/extensions/courses/make-change.ts'
import { planUpdate } from '#src/extensions/courses/plan-change.ts'
import { readCourseFile } from '#src/extensions/courses/read-course-file.ts'
import { readBackCourse } from '#src/issuer/courses/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'
import { changeReport, differenceLines } from './course-change-lines.ts'
import { type ChangeFileOptions, refuseFaults, resolveNames, serviceName } from './course-create.ts'

export async function courseUpdateCommand(
  cli: Cli,
  course: string,
  path: string,
  options: ChangeFileOptions,
): Promise<ExitCode> {
  const courseFile = await readCourseFile(resolve(cli.cwd, path))
  await using reading = await openServiceForReading(cli, options)
  const { issuer } = reading
  const { uuid } = await reading.course(course)
  const [before, wanted] = await Promise.all([issuer.courseDetail(uuid), resolveNames(issuer, courseFile)])
  const { input, target, differences, faults } = planUpdate(before, wanted.fields)
  refuseFaults(courseFile, wanted, faults)
  const names = new Map([...namesIn(before), ...wanted.names])
  const sayAll = (lines: readonly string[]) => lines.forEach((line) => void say(cli, line))
  if (differences.length === 0) {
    sayAll(['The course already matches the file. Nothing was sent.'])
    if (options.json) printJson(cli, { happened: 'no', course: uuid, differences })
    return exitCode.ok
  }
  sayAll([
    `The course ${before.course_number ?? uuid} would change as follows (now → then):`,
    ...differenceLines(differences, names),
  ])
  if (options.dryRun) {
    if (options.json) printJson(cli, { dryRun: true, course: uuid, differences })
    return exitCode.ok
  }
  if (!(await confirm(cli, `Change this course in ${serviceName(reading)}?`, options))) return exitCode.interrupted
  if (!options.yes) refuseStale(before, await issuer.courseDetail(uuid))
  const changeEnd = await makeChange({
    send: () => issuer.updateCourse(uuid, input),
    readCourse: () => issuer.courseDetail(uuid),
    classify: (now) => checkUpdate(differences, now, target),
    mismatches: (now) => visibleDifferences(now, target),
    clock: cli.clock,
  })
  const { lines, code } = changeReport(changeEnd, {
    done: 'The course was changed',
    howToCheck: `\`credsync courses show ${uuid}\``,
    names,
  })
  sayAll(lines)
  const unshownKeys = differences.filter(({ seen }) => !seen).map(({ key }) => key)
  if (changeEnd.happened === 'yes' && unshownKeys.length > 0)
    sayAll([`The service does not show these fields, so they were not compared: ${unshownKeys.join(', ')}.`])
  const { happened, mismatches, outcome } = changeEnd
  if (options.json)
    printJson(cli, { happened, course: uuid, differences, outcome: { ...outcome }, otherwise: mismatches })
  return code
}

/** @throws UsageError if the course has changed since the differences that the person confirmed were shown */
function refuseStale(before: CourseDetail, now: CourseDetail): void {
  const editableContent = (detail: CourseDetail) =>
    JSON.stringify([
      readBackCourse(detail),
      templateUuids(detail.templateDetails),
      templateUuids(detail.badgeTemplateDetail),
      existingImages(detail),
    ])
  if (editableContent(before) !== editableContent(now))
    throw new UsageError(
      'Somebody changed the course while you were being asked. Nothing was sent; run the command again.',
    )
}
