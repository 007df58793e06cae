// Checks one Canvas site for `credsync check`: it is reachable, accepts the token, has the courses, shows their
// learners, and has the columns that outcomes are delivered to. Reads over the network and writes nothing.

import type { CanvasCourse } from '#src/extensions/lms/canvas/course.ts'
import type { Canvas } from '#src/extensions/lms/canvas/open-canvas.ts'
import type { CanvasSettings } from './canvas-settings.ts'
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
      findings.push(...(await context.checkTargets(pipeline, { id: code, code, learner: null })))
  }
  return findings
}

async function checkToken(canvas: Canvas, url: string): Promise<SystemFinding> {
  try {
    await canvas.signIn()
    return { name: 'system', what: `${new URL(url).host} accepts the token` }
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
  let concludedCount = 0
  for await (const _ of canvas.concluded(course.id)) concludedCount++
  const notices = noticesOfCourse(course, students.length)
  const concluded = concludedCount > 0 ? `, concluded: ${concludedCount}` : ''
  const what = `${source.course} is in ${system}, and its learners can be read (number of learners: ${students.length}${concluded})`
  return [{ ...finding, what, ...(notices.length > 0 && { notices }) }]
}

function noticesOfCourse({ isConcluded, learnerCount }: CanvasCourse, seenCount: number): string[] {
  const notices: string[] = []
  if (isConcluded)
    notices.push(
      'the course is concluded in Canvas: whoever completed it before is issued by the first poll, and nobody else can complete it',
    )
  if (learnerCount !== null && seenCount < learnerCount)
    notices.push(
      `the account sees ${seenCount} of ${learnerCount} learners, and nobody else gets a credential: enroll it without the limit “can interact with users in their section only”, or give it an account role`,
    )
  return notices
}
