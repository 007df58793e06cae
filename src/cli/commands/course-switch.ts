// credsync courses enable, disable and remove-logo: one small change each, looked at before and after.

import { heldImages } from '#src/courses/course-difference.ts'
import { enabledWords } from '#src/courses/course-states.ts'
import { type ChangeSteps, makeChange } from '#src/courses/make-change.ts'
import type { CourseDetail } from '#src/issuer/course-shapes.ts'
import { confirm } from '../confirm.ts'
import { endWords } from '../course-lines.ts'
import { oneLine } from '../display-width.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { readService } from '../service-reading.ts'
import { answerJson, type Cli, say } from '../surroundings.ts'
import { serviceWords } from './course-create.ts'

export interface SwitchOptions {
  yes?: boolean
  json?: boolean
  config?: string
}

export async function courseEnableCommand(
  cli: Cli,
  course: string,
  enabled: boolean,
  options: SwitchOptions,
): Promise<ExitCode> {
  await using reading = await readService(cli, options)
  const { issuer } = reading
  const { uuid } = await reading.course(course)
  const before = await issuer.courseDetail(uuid)
  const wanted = enabled ? 1 : 0
  if (before.is_active === wanted) {
    say(cli, `The ${titleOf(before)} is ${enabledWords(wanted)} already. Nothing was sent.`)
    if (options.json) answerJson(cli, { happened: 'no', course: uuid, enabled })
    return exitCode.ok
  }
  const question = `${enabled ? 'Enable' : 'Disable'} the ${titleOf(before)} at ${serviceWords(reading)}?`
  if (!(await confirm(cli, question, options))) return exitCode.interrupted
  return await carryOut(cli, uuid, options, {
    send: () => issuer.setCourseEnabled(uuid, enabled),
    look: () => issuer.courseDetail(uuid),
    isDone: (now) => now.is_active === wanted,
    done: `The ${titleOf(before)} was ${enabledWords(wanted)}`,
    shown: (now) => ({ enabled: now && now.is_active === 1 }),
  })
}

/** Which image is the square one is not documented, so what went is read off the course. */
export async function courseRemoveLogoCommand(
  cli: Cli,
  course: string,
  which: string,
  options: SwitchOptions,
): Promise<ExitCode> {
  if (which !== 'square' && which !== 'rectangle')
    throw new UsageError(`“${oneLine(which)}” is no logo. Say square or rectangle.`)
  await using reading = await readService(cli, options)
  const { issuer } = reading
  const { uuid } = await reading.course(course)
  const before = await issuer.courseDetail(uuid)
  const held = heldImages(before).length
  if (held === 0) {
    say(cli, `The ${titleOf(before)} has no logo. Nothing was sent.`)
    if (options.json) answerJson(cli, { happened: 'no', course: uuid, logos: [] })
    return exitCode.ok
  }
  const question = `Remove the ${which} logo of the ${titleOf(before)} at ${serviceWords(reading)}?`
  if (!(await confirm(cli, question, options))) return exitCode.interrupted
  return await carryOut(cli, uuid, options, {
    send: () => issuer.removeCourseLogo(uuid, which),
    look: () => issuer.courseDetail(uuid),
    isDone: (now) => heldImages(now).length < held,
    done: `The ${which} logo of the ${titleOf(before)} was removed`,
    shown: (now) => ({ logos: now && heldImages(now) }),
  })
}

interface Steps extends Pick<ChangeSteps, 'send' | 'look'> {
  isDone(now: CourseDetail): boolean
  /** What is said then. */
  done: string
  /** What the document tells of the course as it is now; null of what could not be read. */
  shown(now: CourseDetail | null): Record<string, unknown>
}

async function carryOut(
  cli: Cli,
  uuid: string,
  { json }: SwitchOptions,
  { send, look, isDone, done, shown }: Steps,
): Promise<ExitCode> {
  const end = await makeChange({
    send,
    look,
    judge: (now) => (now && isDone(now) ? 'yes' : 'no'),
    otherwise: (now) => (isDone(now) ? [] : [{ key: 'the course', before: 'as it was', after: 'changed', seen: true }]),
    clock: cli.clock,
  })
  const { lines, code } = endWords(end, { done, again: `\`credsync courses show ${uuid}\``, names: new Map() })
  for (const line of lines) say(cli, line)
  const { happened, outcome, now } = end
  if (json) answerJson(cli, { happened, course: uuid, ...shown(now), outcome: { ...outcome } })
  return code
}

function titleOf({ course_number, course_uuid, course_name }: CourseDetail): string {
  return `course ${oneLine(course_number ?? course_uuid ?? '')} (${oneLine(course_name ?? '')})`
}
