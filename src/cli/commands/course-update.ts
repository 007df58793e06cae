// credsync courses update COURSE FILE: what the file names is changed, and everything else is sent as it is, for the service makes null what is not sent.

import { resolve } from 'node:path'
import { heldImages, seenDifferenceTo } from '#src/courses/course-difference.ts'
import { approvalWords, auditWords, enabledWords } from '#src/courses/course-states.ts'
import { judgeUpdate, makeChange } from '#src/courses/make-change.ts'
import { namesIn } from '#src/courses/names-in-detail.ts'
import { planUpdate } from '#src/courses/plan-update.ts'
import { readCourseFile } from '#src/courses/read-course-file.ts'
import { templateUuids } from '#src/courses/template-lists.ts'
import { readBackCourse } from '#src/issuer/course-read-back.ts'
import type { CourseDetail } from '#src/issuer/course-shapes.ts'
import { confirm } from '../confirm.ts'
import { differenceLines, endWords } from '../course-lines.ts'
import { courseRequest, requestLines } from '../course-request.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { readService } from '../service-reading.ts'
import { answer, answerJson, type Cli, say } from '../surroundings.ts'
import { type ChangeFileOptions, refuseFaults, serviceWords, understand } from './course-create.ts'

export async function courseUpdateCommand(
  cli: Cli,
  course: string,
  path: string,
  options: ChangeFileOptions,
): Promise<ExitCode> {
  const read = await readCourseFile(resolve(cli.cwd, path))
  await using reading = await readService(cli, options)
  const { issuer } = reading
  const { uuid } = await reading.course(course)
  const [before, wanted] = await Promise.all([issuer.courseDetail(uuid), understand(issuer, read)])
  const { input, target, differences, faults } = planUpdate(before, wanted.fields)
  refuseFaults(read, wanted, faults)
  const names = new Map([...namesIn(before), ...wanted.names])
  const told = (lines: readonly string[]) => lines.forEach((line) => void say(cli, line))
  if (differences.length === 0) {
    told(['The course is as the file wants it. Nothing was sent.'])
    if (options.json) answerJson(cli, { happened: 'no', course: uuid, differences })
    return exitCode.ok
  }
  told([
    `The course ${before.course_number ?? uuid} would change so (now → then):`,
    ...differenceLines(differences, names),
  ])
  if (options.dryRun) {
    const request = courseRequest(input, uuid)
    if (options.json) answerJson(cli, { dryRun: true, course: uuid, differences, request })
    else for (const line of requestLines(request)) answer(cli, line)
    return exitCode.ok
  }
  if (!(await confirm(cli, `Change this course at ${serviceWords(reading)}?`, options))) return exitCode.interrupted
  if (!options.yes) refuseStale(before, await issuer.courseDetail(uuid))
  const end = await makeChange({
    send: () => issuer.updateCourse(uuid, input),
    look: () => issuer.courseDetail(uuid),
    judge: (now) => judgeUpdate(differences, now, target),
    otherwise: (now) => seenDifferenceTo(now, target),
    clock: cli.clock,
  })
  const { lines, code } = endWords(end, {
    done: 'The course was changed',
    again: `\`credsync courses show ${uuid}\``,
    names,
  })
  told([...lines, ...(end.now ? stateChanges(before, end.now) : [])])
  const unseen = differences.filter(({ seen }) => !seen).map(({ key }) => key)
  if (end.happened === 'yes' && unseen.length > 0)
    told([`Not shown by the service, and so not compared: ${unseen.join(', ')}.`])
  const { happened, otherwise, outcome } = end
  if (options.json) answerJson(cli, { happened, course: uuid, differences, outcome: { ...outcome }, otherwise })
  return code
}

/** The person was asked about a difference; it must still be that one. @throws UsageError */
function refuseStale(before: CourseDetail, now: CourseDetail): void {
  const sheet = (detail: CourseDetail) =>
    JSON.stringify([
      readBackCourse(detail),
      templateUuids(detail.templateDetails),
      templateUuids(detail.badgeTemplateDetail),
      heldImages(detail),
    ])
  if (sheet(before) !== sheet(now))
    throw new UsageError('Somebody changed the course while you were asked. Nothing was sent; run the command again.')
}

/** What the service did to the course's states beside the change, if anything. */
function stateChanges(before: CourseDetail, now: CourseDetail): string[] {
  const states = [
    ['approval', approvalWords(before.approval_status_id), approvalWords(now.approval_status_id)],
    ['audit', auditWords(before.audit_status_id), auditWords(now.audit_status_id)],
    ['enabled', enabledWords(before.is_active), enabledWords(now.is_active)],
  ]
  return states.filter(([, a, b]) => a !== b).map(([what, a, b]) => `Its state changed too: ${what}: ${a} → ${b}.`)
}
