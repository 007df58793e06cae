// credsync courses enable, disable and remove-logo: one small change each, checked before and after.

import { type Cli, printJson, say } from '#src/cli/cli-context.ts'
import { confirm } from '#src/cli/confirm.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { openServiceForReading } from '#src/cli/open-service-for-reading.ts'
import { existingImages } from '#src/extensions/courses/course-difference.ts'
import { enabledText } from '#src/extensions/courses/course-states.ts'
import { type ChangeSteps, makeChange } from '#src/extensions/courses/make-change.ts'
import type { CourseDetail } from '#src/issuer/courses/course-shapes.ts'
import { oneLine } from '#src/platform/text.ts'
import { changeReport } from './course-change-lines.ts'
import { serviceName } from './course-create.ts'

export interface CourseChangeOptions {
  yes?: boolean
  json?: boolean
  config?: string
}

export async function courseEnableCommand(
  cli: Cli,
  course: string,
  enabled: boolean,
  options: CourseChangeOptions,
): Promise<ExitCode> {
  await using reading = await openServiceForReading(cli, options)
  const { issuer } = reading
  const { uuid } = await reading.course(course)
  const before = await issuer.courseDetail(uuid)
  const wanted = enabled ? 1 : 0
  if (before.is_active === wanted) {
    say(cli, `The ${titleOf(before)} is already ${enabledText(wanted)}. Nothing was sent.`)
    if (options.json) printJson(cli, { happened: 'no', course: uuid, enabled })
    return exitCode.ok
  }
  const question = `${enabled ? 'Enable' : 'Disable'} the ${titleOf(before)} at ${serviceName(reading)}?`
  if (!(await confirm(cli, question, options))) return exitCode.interrupted
  return await carryOut(cli, uuid, options, {
    send: () => issuer.setCourseEnabled(uuid, enabled),
    readCourse: () => issuer.courseDetail(uuid),
    isDone: (now) => now.is_active === wanted,
    done: `The ${titleOf(before)} was ${enabledText(wanted)}`,
    jsonFields: (now) => ({ enabled: now && now.is_active === 1 }),
  })
}

/** The documentation does not say which image is the square one, so the number of images shows whether one is gone. */
export async function courseRemoveLogoCommand(
  cli: Cli,
  course: string,
  which: string,
  options: CourseChangeOptions,
): Promise<ExitCode> {
  if (which !== 'square' && which !== 'rectangle')
    throw new UsageError(`“${oneLine(which)}” is not a logo. Use square or rectangle.`)
  await using reading = await openServiceForReading(cli, options)
  const { issuer } = reading
  const { uuid } = await reading.course(course)
  const before = await issuer.courseDetail(uuid)
  const imageCount = existingImages(before).length
  if (imageCount === 0) {
    say(cli, `The ${titleOf(before)} has no logo. Nothing was sent.`)
    if (options.json) printJson(cli, { happened: 'no', course: uuid, logos: [] })
    return exitCode.ok
  }
  const question = `Remove the ${which} logo of the ${titleOf(before)} at ${serviceName(reading)}?`
  if (!(await confirm(cli, question, options))) return exitCode.interrupted
  return await carryOut(cli, uuid, options, {
    send: () => issuer.removeCourseLogo(uuid, which),
    readCourse: () => issuer.courseDetail(uuid),
    isDone: (now) => existingImages(now).length < imageCount,
    done: `The ${which} logo of the ${titleOf(before)} was removed`,
    jsonFields: (now) => ({ logos: now && existingImages(now) }),
  })
}

interface ChangePlan extends Pick<ChangeSteps, 'send' | 'readCourse'> {
  isDone(now: CourseDetail): boolean
  /** The message when it is done. */
  done: string
  /** The fields of the JSON document that describe the course. `now` is null if the course could not be read. */
  jsonFields(now: CourseDetail | null): Record<string, unknown>
}

async function carryOut(
  cli: Cli,
  uuid: string,
  { json }: CourseChangeOptions,
  { send, readCourse, isDone, done, jsonFields }: ChangePlan,
): Promise<ExitCode> {
  const result = await makeChange({
    send,
    readCourse,
    classify: (now) => (now && isDone(now) ? 'yes' : 'no'),
    mismatches: (now) =>
      isDone(now) ? [] : [{ key: 'the course', before: 'unchanged', after: 'changed', seen: true }],
    clock: cli.clock,
  })
  const { lines, code } = changeReport(result, {
    done,
    howToCheck: `\`credsync courses show ${uuid}\``,
    names: new Map(),
  })
  for (const line of lines) say(cli, line)
  const { happened, outcome, now } = result
  if (json) printJson(cli, { happened, course: uuid, ...jsonFields(now), outcome: { ...outcome } })
  return code
}

function titleOf({ course_number, course_uuid, course_name }: CourseDetail): string {
  return `course ${oneLine(course_number ?? course_uuid ?? '')} (${oneLine(course_name ?? '')})`
}
