// Checks one Canvas site for `credsync check`: it is reachable, accepts the token, has the courses, shows their
// learners, and has the columns that outcomes are delivered to. Reads over the network and writes nothing.

import type { Canvas } from '#src/lms/canvas/open-canvas.ts'
import type { CanvasSettings } from './canvas-settings.ts'
import { plainAddressNotice } from './plain-address-notice.ts'
import type { CompletionPipeline } from './polled-system.ts'
import { orFaultFinding, type SystemCheckContext, type SystemFinding } from './system-kind.ts'

export async function checkCanvas(
  context: SystemCheckContext<Canvas>,
  { url }: CanvasSettings,
): Promise<SystemFinding[]> {
  const { client: canvas, pipelines } = context
  const access = await checkToken(canvas, url)
  if (access.fault !== undefined) {
    // A Canvas site that is unavailable, or refuses the token, would fail every other check in the same way.
    if (pipelines.length > 0)
      access.notices = [
        `so the courses of these pipelines were not checked: ${pipelines.map(({ pipeline }) => pipeline).join(', ')}`,
      ]
    return [access]
  }
  const findings = [access]
  for (const source of pipelines) {
    const { pipeline, course: code } = source
    const course = await orFaultFinding({ name: 'system course', pipeline }, () => checkCourse(canvas, source))
    findings.push(...course)
    if (course.every(({ remedy, fault }) => !remedy && fault === undefined))
      findings.push(...(await context.targetsOfCourse(pipeline, { id: code, code, learner: null })))
  }
  return [...findings, ...(await context.targetsAtEnd()), context.checkClock()]
}

async function checkToken(canvas: Canvas, url: string): Promise<SystemFinding> {
  try {
    await canvas.signIn()
    return { name: 'system', what: `${new URL(url).host} accepts the token`, ...plainAddressNotice(url) }
  } catch (fault) {
    return { name: 'system', fault }
  }
}

async function checkCourse(canvas: Canvas, source: CompletionPipeline): Promise<SystemFinding[]> {
  const { pipeline, system } = source
  const finding = { name: 'system course', pipeline }
  const course = await canvas.course(source.course)
  if (!course)
    return [
      {
        ...finding,
        what: `${system} shows no course ${source.course} (pipelines.${pipeline}.source.course)`,
        remedy:
          'Set `course` to the number in the address of the course, or to sis_course_id: and its SIS id, which is visible only to an account with the permission “SIS Data - read”; or give the account access to the course',
      },
    ]
  const students = await canvas.students(course.id)
  const [first] = students
  const learner = first === undefined ? null : await canvas.learner(course.id, first)
  const notices = [
    ...(first === undefined
      ? ['the course has no learner yet, so the check could not determine which properties of learners are visible']
      : []),
    ...(learner && learner.email === null
      ? [
          'the account could not see the e-mail address of a learner; allow the account the permission “Users - view primary email address”',
        ]
      : []),
  ]
  const what = `${source.course} is in ${system}, and its learners can be read (number of learners: ${students.length})`
  return [{ ...finding, what, ...(notices.length > 0 && { notices }) }]
}
